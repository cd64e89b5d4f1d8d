import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import type { Case, Message } from './contract';
import type { Sentences } from './notation';
import type { Party } from './party';
import type { World } from './world';

// What is done with the call that an RPC is given, so that it is refused or keeps a promise.

/** A UUID that nothing has. */
export const UNKNOWN = uuidv7();

/** It is made by a partner that has nothing. */
export const byAStranger: Case = async (use) => {
  const { rpc, request } = await use.given();
  return use.partner().call(rpc, request);
};

/** It is made by the same partner in its other environment. */
export const inTheOtherEnvironment: Case = async (use) => {
  const { rpc, who, request } = await use.given();
  return (who as Party).elsewhere().call(rpc, request);
};

/** It is made, and then by another partner. */
export const takenBy =
  (other: (world: World) => Promise<Party> | Party): Case =>
  async (use) => {
    const { rpc, request, call } = await use.given();
    await call();
    return (await other(use)).call(rpc, request);
  };

/** Other RPCs are called with its request before. */
export const after =
  (...rpcs: string[]): Case =>
  async (use) => {
    const { who, request, call } = await use.given();
    for (const rpc of rpcs) await who.call(rpc, request);
    return call();
  };

/** It is made twice, the second time with other values if any. */
export const repeated =
  (patch: Message = {}): Case =>
  async (use) => {
    const { call } = await use.given();
    await call();
    return call(patch);
  };

/** Made several times at once and then again, it replies the same; then more may be checked of who made it. */
export const isRepeatable =
  <Who>(check?: (who: Who, reply: Message) => Promise<unknown>): Case =>
  async (use) => {
    const { who, call } = await use.given();
    const [first = {}, ...others] = await Promise.all([1, 2, 3, 4].map(() => call()));
    for (const reply of [...others, await call()]) expect(reply).toEqual(first);
    await check?.(who as Who, first);
  };

/** It replies just this. */
export const replies =
  (expected: Message): Case =>
  async (use) =>
    expect(await (await use.given()).call()).toEqual(expected);

/** It is made while a dependency's method fails for the partner. */
export const whileFailing =
  (dependency: string, method: string, code: ErrorCode = 'SERVICE_UNAVAILABLE'): Case =>
  async (use) => {
    const { who, call } = await use.given();
    return use.whileFailing({ dependency, method, code, of: (who as Party).id }, () => call());
  };

/** What is another partner's or the other environment's is not there, nor is what nobody has, or what is no id at all. */
export const notFound = (code: ErrorCode, id: string): Sentences => ({
  [`${code}: an unknown id`]: { [id]: UNKNOWN },
  [`${code}: an id that is none`]: { [id]: 'one' },
  [`${code}: another partner’s`]: byAStranger,
  [`${code}: the other environment’s`]: inTheOtherEnvironment,
});
