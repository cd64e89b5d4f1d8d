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

/** A partner that acts, by which credential, and for or on whom, in the form in which the audit names its actor. */
export interface Acting {
  actingPartnerId: string;
  actingClientId: string;
  partnerId: string;
}

/** The parent partner behind a delegated call, and whom it acts for; a call without one is INTERNAL_ERROR. */
export function requireActing({ partner }: CallContext): Acting {
  if (!partner?.actingPartnerId) {
    throw new AppError(
      'INTERNAL_ERROR',
      {},
      { cause: new Error('the call names no acting partner to audit') },
    );
  }
  const { actingPartnerId, actingClientId, clientId, partnerId } = partner;
  return { actingPartnerId, actingClientId: actingClientId ?? clientId, partnerId };
}
