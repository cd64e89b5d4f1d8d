import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import type { Actor } from './actor';
import {
  rpc,
  type Case,
  type Given,
  type Message,
  type RpcContract,
  type Sentences,
  type Use,
} from './contract';
import type { Party } from './party';
import { Refusal } from './refusal';
import type { World } from './world';

// What is done with the call that an RPC is given, so that it is refused or keeps a promise.

/** A UUID that nothing has. */
export const UNKNOWN = uuidv7();

/** A case that works with the call that its RPC is given. */
export const given =
  (check: (given: Given, use: Use) => Promise<unknown>): Case =>
  async (use) =>
    check(await use.given(), use);

/** Fields to replace in the given call, or another RPC with its request, some fields of it replaced. */
export type Step = Message | readonly [rpc: string, patch?: Message];

const isOther = (step: Step): step is readonly [string, Message?] => Array.isArray(step);

/** Calls in turn, by who makes the given call; returns each reply, or the code that it was refused with. The last must succeed. */
export const steps = (...all: readonly Step[]): Case =>
  given(async ({ who, request }, use) => {
    const calls = all.map((step) => {
      const [name, patch] = isOther(step) ? step : [use.rpc, step];
      return () => who.call(name, { ...request, ...patch });
    });
    const last = calls.pop();
    const replies: unknown[] = [];
    for (const call of calls) replies.push(await call().catch(codeOf));
    return [...replies, await last?.()];
  });

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  throw error;
}

/** It is made by a partner that has nothing. */
export const byAStranger: Case = given(({ request }, use) => use.partner().call(use.rpc, request));

/** It is made by the same partner in its other environment. */
export const inTheOtherEnvironment: Case = given(({ partner, request }, use) =>
  partner.elsewhere().call(use.rpc, request),
);

/** It is made, and then by another partner. */
export const takenBy = (other: (world: World) => Promise<Party>): Case =>
  given(async ({ request, call }, use) => {
    await call();
    return (await other(use)).call(use.rpc, request);
  });

/** It is made twice, the second time with other values if any. */
export const repeated = (patch: Message = {}): Case => steps({}, patch);

/** Made several times at once and then again, it replies the same; returns what these RPCs reply afterwards. */
export const isRepeatable = (...afterwards: readonly Step[]): Case =>
  given(async ({ who, request, call }, use) => {
    const [first = {}, ...others] = await Promise.all([1, 2, 3, 4].map(() => call()));
    for (const reply of [...others, await call()]) expect(reply).toEqual(first);
    const replies: unknown[] = [first];
    for (const step of afterwards) {
      const [name, patch] = isOther(step) ? step : [use.rpc, step];
      replies.push(await who.call(name, { ...request, ...patch }));
    }
    return replies;
  });

/** It is made while a dependency's method fails for the partner. */
export const whileFailing = (
  dependency: string,
  method: string,
  code: ErrorCode = 'SERVICE_UNAVAILABLE',
): Case =>
  given(({ partner, call }, use) =>
    use.whileFailing({ dependency, method, code, of: partner.id }, () => call()),
  );

/** What is another partner's or the other environment's is not there, nor is what nobody has, or what is no id at all. */
export const notFound = (code: ErrorCode, id: string, otherwise: ErrorCode = code): Sentences => ({
  [`${code}: an unknown id`]: { [id]: UNKNOWN },
  [`${otherwise}: an id that is none`]: { [id]: 'one' },
  [`${code}: another partner’s`]: byAStranger,
  [`${code}: the other environment’s`]: inTheOtherEnvironment,
});

/** An RPC that returns what others made, as they returned it. */
export const reads = (
  made: (world: World) => Promise<readonly [Actor, Message]>,
  requestOf: (one: Message) => Message,
  sentences: Sentences,
): RpcContract =>
  rpc(
    async (world) => {
      const [who, one] = await made(world);
      return [who, requestOf(one)];
    },
    {
      'returns it as it stands': async (use) => {
        const [who, one] = await made(use);
        expect(await who.get(use.rpc, requestOf(one))).toEqual(one);
      },
      ...sentences,
    },
  );
