import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import type { Actor } from './actor';
import {
  rpc,
  UNREACHABLE,
  type Case,
  type Given,
  type Message,
  type Patch,
  type RpcContract,
  type Sentences,
  type Step,
  type Use,
} from './contract';
import type { Party } from './party';
import { requestFieldsOf } from './reader';
import { Refusal, refusalOf, settled } from './refusal';
import type { World } from './world';

// What is done with the call that an RPC is given, so that it is refused or keeps a promise.

/** A UUID that nothing has, of no version: it is unknown and not malformed (spec §1.5). */
export const UNKNOWN = '11111111-1111-1111-1111-111111111111';

/** Calls in turn, by who makes the given call; returns each reply, or the code that it was refused with. The last must succeed. */
export const steps =
  (...all: readonly Step[]): Case =>
  async ({ rpc }, { who, request }) => {
    const replies: unknown[] = [];
    for (const [index, step] of all.entries()) {
      const [name, patch] = typeof step === 'string' ? [step] : isOther(step) ? step : [rpc, step];
      const replaced = typeof patch === 'function' ? patch(request, replies as Message[]) : patch;
      const reply = who.call(name, { ...request, ...replaced });
      replies.push(await (index === all.length - 1 ? reply : reply.catch(codeOf)));
    }
    return replies;
  };

/** Calls in turn, or the given call alone, of which the last is replied to with at least this. */
export const replies =
  <More>(has: Message | ((given: Given & More) => Message), ...all: readonly Step[]): Case<More> =>
  async (use, given) => {
    const made = (await steps(...(all.length > 0 ? all : [{}]))(use, given)) as Message[];
    expect(made.at(-1)).toMatchObject(typeof has === 'function' ? has(given) : has);
  };

const isOther = (step: Step): step is readonly [string, Patch?] => Array.isArray(step);

function codeOf(error: unknown): string {
  if (error instanceof Refusal) return error.code;
  throw error;
}

/** It is made by another partner. */
export const by =
  (other: (world: World) => Party | Promise<Party>): Case =>
  async (use, { request }) =>
    (await other(use)).call(use.rpc, request);

/** It is made by a partner that has nothing. */
export const byAStranger = by((world) => world.partner());

/** It is made by the same partner in its other environment. */
export const inTheOtherEnvironment: Case = ({ rpc }, { partner, request }) =>
  partner.elsewhere().call(rpc, request);

/** What of a reply says when it was made, and not what it is about. */
const OF_THE_CALL = ['is_new', 'updated_at', 'set_at', 'priced_at', 'last_modified_at'];
const lasting = (reply: Message): string =>
  JSON.stringify(reply, (name, value: unknown) => (OF_THE_CALL.includes(name) ? undefined : value));

/** Made several times at once and then again, it replies the same, or that it is in progress; returns what these RPCs reply then. */
export const isRepeatable =
  (...afterwards: readonly Step[]): Case =>
  async (use, one) => {
    const { replies, refusals } = await settled([1, 2, 3, 4].map(() => one.call()));
    for (const { code } of refusals) expect(code).toMatch(/_IN_PROGRESS$/);
    const last = await one.call();
    for (const reply of replies) expect(lasting(reply)).toEqual(lasting(last));
    return [last, ...((await steps(...afterwards)(use, one)) as unknown[])];
  };

const WAITING = new WeakSet<object>();

/** A case that waits for a time to be over, and looks at nothing of other partners: it is made beside others that do so. */
export const waiting = (check: Case): Case => {
  WAITING.add(check);
  return check;
};

/** Whether a check is one of those; what is refused with SERVICE_UNAVAILABLE is so in any case. */
export const isWaiting = (check: unknown): boolean => typeof check === 'function' && WAITING.has(check);

/** It is made while a dependency's method fails for the partner. */
export const whileFailing =
  (dependency: string, method: string, code: ErrorCode = 'SERVICE_UNAVAILABLE'): Case =>
  (use, { partner, call }) =>
    use.whileFailing(dependency, method, () => call(), partner.id, code);

/** Each of these codes of a dependency's method is returned as it is; `then` holds what is true afterwards. */
export const passesOn = <More>(
  dependency: string,
  method: string,
  codes: readonly ErrorCode[],
  sentence: string,
  then?: Case<More>,
): Sentences<More> =>
  Object.fromEntries(
    codes.map((code): [string, Case<More>] => [
      `${code}: ${sentence}`,
      async (use, given) => {
        const refusal = await refusalOf(whileFailing(dependency, method, code)(use, given));
        await then?.(use, given);
        throw refusal;
      },
    ]),
  );

/** Calls as a partner under an idempotency key, for a request of that fingerprint. */
export const callWithKey = (
  world: World,
  rpc: string,
  { partner, request }: Pick<Given, 'partner' | 'request'>,
  { key, fingerprint }: { readonly key: string; readonly fingerprint: string },
): Promise<Message> =>
  world.send(rpc, request, {
    ...partner.caller,
    'x-idempotency-key': key,
    'x-request-fingerprint': fingerprint,
  });

const withKey = (use: Use, given: Given, fingerprint: string): Promise<Message> =>
  callWithKey(use, use.rpc, given, { key: `key of ${given.partner.id}`, fingerprint });

/** What every RPC that takes an idempotency key has in common (spec §1.11). */
export const keyed: Sentences = {
  'repeated under its idempotency key, one makes it, and the others return its response or that it is running':
    async (use, given) => {
      const { replies, refusals } = await settled([1, 2, 3].map(() => withKey(use, given, 'first')));
      for (const { code } of refusals) expect(code).toBe('CONFLICT_REQUEST_IN_PROGRESS');
      const made = replies.filter(({ is_replayed }) => !is_replayed);
      expect(made).toHaveLength(1);
      const replayed = { ...made[0], is_replayed: true };
      for (const reply of [...replies.filter((one) => one !== made[0]), await withKey(use, given, 'first')])
        expect(reply).toEqual(replayed);
    },
  'under more keys at once than it has connections, each is made or refused by a rule': async (
    use,
    given,
  ) => {
    let round = 0;
    // Calls that wait for each other do so in every round; one that only waited too long on a busy machine does not.
    await eventually(async () => {
      round += 1;
      const keys = Array.from({ length: 8 }, (_, n) => ({ key: `key ${round}-${n}`, fingerprint: 'first' }));
      const { refusals } = await settled(keys.map((key) => callWithKey(use, use.rpc, given, key)));
      for (const { code } of refusals) expect(code).not.toMatch(/^(SERVICE_UNAVAILABLE|INTERNAL_ERROR)$/);
    });
  },
  'CONFLICT_IDEMPOTENCY_KEY_REUSED: the key with another request': async (use, given) => {
    await withKey(use, given, 'first');
    return withKey(use, given, 'second');
  },
  'CONFLICT_REQUEST_IN_PROGRESS: The first is running for as long as one has to be fast to meet it.':
    UNREACHABLE,
};

/** An RPC that returns what others made, as they returned it; its request names that by the fields of it, or by its id. */
export const reads = (
  made: (world: World) => Promise<readonly [Actor, Message]>,
  sentences: Sentences = {},
): RpcContract => {
  const named = ({ rpc }: Use, one: Message): Message =>
    Object.fromEntries(
      requestFieldsOf(rpc).map((name) => [name, one[name] ?? (name.endsWith('_id') ? one.id : undefined)]),
    );
  return rpc(
    async (use) => {
      const [who, one] = await made(use);
      return [who, named(use, one)];
    },
    {
      'returns it as it stands': async (use) => {
        const [who, one] = await made(use);
        expect(await who.get(use.rpc, named(use, one))).toEqual(one);
      },
      ...sentences,
    },
  );
};
