import { Environment } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { requirePartner, type CallContext } from '@reseller/rpc';

/** Whose carts, locks, codes and registrations a call may touch (spec §2.1). */
export interface PartnerScope {
  readonly partnerId: string;
  readonly environment: 'sandbox' | 'live';
}

/** The scope of a partner's call; INTERNAL_ERROR when the metadata lacks it. */
export function partnerScopeOf(call: CallContext): PartnerScope {
  const { partnerId, environment } = requirePartner(call);
  if (environment === Environment.SANDBOX) return { partnerId, environment: 'sandbox' };
  if (environment === Environment.LIVE) return { partnerId, environment: 'live' };
  throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the scope names no environment') });
}
