import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';

/** The operator behind a call, in the form in which the audit names its actor. */
export interface Operator {
  actorType: 'operator';
  operator: string;
  requestId: string;
}

/** The call's operator; a change without one is a fault of the caller's code, so INTERNAL_ERROR. */
export function requireOperator(call: CallContext): Operator {
  if (!call.operator) {
    throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the call names no operator to audit') });
  }
  return { actorType: 'operator', operator: call.operator, requestId: call.requestId };
}
