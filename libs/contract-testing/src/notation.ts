import { isErrorCode } from '@reseller/errors';
import type { Case, Cases, EventContract, Message, RpcContract, ServiceContract } from './contract';

/** Stands for a check that nothing outside the service can bring about; the sentence says why. */
export const UNREACHABLE = 'unreachable';

/**
 * What an RPC promises, a sentence each with its check. A sentence that begins with an error's code and a colon says what is
 * refused so: by the given call with these fields replaced, or by the call that the check returns.
 */
export type Sentences = Readonly<Record<string, Case | Message | typeof UNREACHABLE>>;

type GivenCall = RpcContract['given'];

/** An RPC with a call that would succeed, which sentences vary, and its sentences. */
export function rpc(given: GivenCall, sentences: Sentences): RpcContract {
  const promises: Record<string, Case> = {};
  const refuses: Record<string, Record<string, Message | Case>> = {};
  const unreachable: Record<string, string> = {};
  for (const [sentence, check] of Object.entries(sentences)) {
    const [, code, what = ''] = /^([A-Z_]{6,}): (.*)$/.exec(sentence) ?? [];
    if (code === undefined) promises[sentence] = check as Case;
    else if (!isErrorCode(code)) throw new Error(`${code} is not a code of the catalogue`);
    else if (check === UNREACHABLE) unreachable[code] = what;
    else (refuses[code] ??= {})[what] = check;
  }
  return { ...(given && { given }), promises, refuses, unreachable };
}

/** The same for an RPC that records who acted, and so refuses a call that names no operator. */
export const operatorRpc = (given: GivenCall, sentences: Sentences): RpcContract => ({
  ...rpc(given, sentences),
  needsOperator: true,
});

/** A service whose RPCs speak for the partner of the call's metadata. */
export const partnerService = (service: string, rpcs: ServiceContract['rpcs']): ServiceContract => ({
  service,
  speaksFor: 'the partner of the metadata',
  rpcs,
});

/** A service whose requests name whom they are about. */
export const service = (name: string, rpcs: ServiceContract['rpcs']): ServiceContract => ({
  service: name,
  speaksFor: 'whom the request names',
  rpcs,
});

/** The events of one topic, by their names. */
export const events = (
  topic: string,
  prefix: string,
  promises: Readonly<Record<string, Cases>>,
): EventContract[] =>
  Object.entries(promises).map(([name, cases]) => ({ type: `${prefix}.${name}`, topic, promises: cases }));
