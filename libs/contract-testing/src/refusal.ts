import { status, type ServiceError } from '@grpc/grpc-js';
import { ERROR_CATALOGUE, isErrorCode } from '@reseller/errors';
import type { Message } from './message';
import { coderOf } from './reader';

/** A call that was refused: its code and details from the trailer, and the gRPC status beside it. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly details: Message,
    readonly status: string,
    rpc: string,
  ) {
    super(`${rpc} was refused with ${code} (${status}) ${JSON.stringify(details)}`);
  }
}

/** What a call was refused with; fails when it was not. */
export async function refusalOf(call: Promise<unknown>): Promise<Refusal> {
  const refusal = await call.catch((error: unknown) => error);
  if (refusal instanceof Refusal) return refusal;
  throw refusal instanceof Error ? refusal : new Error(`expected a refusal, got ${JSON.stringify(refusal)}`);
}

/** What came of calls at once: the replies, and what the others failed with. */
export async function settled<T>(
  calls: readonly Promise<T>[],
): Promise<{ replies: T[]; refusals: Refusal[] }> {
  const outcomes = await Promise.allSettled(calls);
  const replies = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  return { replies, refusals: outcomes.flatMap((one) => ('reason' in one ? [one.reason as Refusal] : [])) };
}

/** The Refusal that an RPC's error stands for; an error of another kind when it does not keep to the catalogue. */
export function readRefusal(rpc: string, error: ServiceError): Error {
  const trailer = error.metadata.get('reseller-error-bin')[0];
  const name = status[error.code];
  if (!Buffer.isBuffer(trailer))
    return new Error(`${rpc}: ${name} without the trailer reseller-error-bin: ${error.details}`);
  const { code, details_json: json } = coderOf('reseller.common.v1.ErrorDetail').decode(trailer);
  const details = json === '' ? {} : (JSON.parse(String(json)) as Message);
  if (!isErrorCode(String(code))) return new Error(`${rpc}: ${String(code)} is not a code of the catalogue`);
  const expected = ERROR_CATALOGUE[code as keyof typeof ERROR_CATALOGUE].grpc;
  if (name !== expected)
    return new Error(
      `${rpc}: ${String(code)} came with the gRPC status ${name}; the catalogue has ${expected}`,
    );
  return new Refusal(String(code), details, name, rpc);
}
