import type { Environment } from '@reseller/contracts';
import { AppError } from '@reseller/errors';

/** Whose data a call may touch (spec §2.1); `path` runs from the root partner down to `partnerId`. */
export interface CallPartner {
  partnerId: string;
  partnerGlobalId: string;
  path: string[];
  environment: Environment;
  clientId: string;
  /** The parent partner that acts, in a delegated call (spec §2.5). */
  actingPartnerId?: string | undefined;
  actingClientId?: string | undefined;
}

/** A partner's idempotency key. */
export interface IdempotencyKey {
  readonly key: string;
  /** What the request was: equal for the same method, path, query and body, and for no other. */
  readonly fingerprint: string;
}

/** What travels with each call beside its request. */
export interface CallContext {
  requestId: string;
  partner?: CallPartner | undefined;
  /** The operator's name, for calls made from the backoffice. */
  operator?: string | undefined;
  /** Whose decisions the operator's count as: a token's are those of who made it (spec §18.1). */
  operatorAccount?: string | undefined;
  /** By which a repetition of the call is known (spec §1.11). */
  idempotency?: IdempotencyKey | undefined;
  /** What is read for the call may come from a replica, where the contract says so, and be as old as its service accepts. */
  acceptsStale?: boolean | undefined;
  /** Set by clients: the response is that of an earlier call with the same idempotency key. */
  isReplayed?: boolean | undefined;
  /** Set by clients: the call made what it responds with; a create without it was a repetition. */
  isNew?: boolean | undefined;
  /** Milliseconds since the epoch; nobody waits for the response after it. */
  deadlineAt?: number | undefined;
  /** W3C trace context. */
  traceparent?: string | undefined;
  /** Aborts when the caller gave up or the deadline passed. */
  signal?: AbortSignal | undefined;
  /** Set by clients: the longest that work stood in line, in milliseconds, at the services that this call went to. */
  queuedMs?: number | undefined;
}

/** The context for work that goes on when its caller has given up: without its deadline and signal, so under the client's own. */
export function detachCall(call: CallContext): CallContext {
  return { ...call, signal: undefined, deadlineAt: undefined };
}

/** The operator of the call; a change of an operator's without one is a fault of the caller's code, so INTERNAL_ERROR. */
export function requireOperator(call: CallContext): string {
  if (!call.operator) {
    throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the call names no operator') });
  }
  return call.operator;
}

/** Whose decisions those of the call's operator count as (spec §18.1); without an operator INTERNAL_ERROR. */
export function operatorAccountOf(call: CallContext): string {
  // A backoffice of another team's may name the operator only: then the name is the account.
  return call.operatorAccount ?? requireOperator(call);
}

/** The partner of the call; a call without one is a fault of the caller's code, so INTERNAL_ERROR. */
export function requirePartner(call: CallContext): CallPartner {
  if (!call.partner) {
    throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the call carries no partner scope') });
  }
  return call.partner;
}
