import { AppError, isAppError } from '@reseller/errors';
import type { CallContext, CallPartner } from '@reseller/rpc';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { PartnerDirectory, PartnerPlace } from '../partner/partner-directory';
import type { LimitSetting, SpendingLimits } from './domain/spending-limits';
import type { LimitRepository } from './limit.repository';

/** What limiting a descendant works with. */
export interface SetDescendantLimitsDeps {
  readonly limits: Pick<LimitRepository, 'set'>;
  readonly directory: Pick<PartnerDirectory, 'findPlace'>;
}

/** How often identity is called for where the partner stands, while it is being moved. */
const ATTEMPTS = 3;

/**
 * Replaces what an ancestor lets a descendant spend (spec §17.5). Throws FORBIDDEN_NOT_YOUR_DESCENDANT for a partner that is not below
 * the caller, and to one who acts for another.
 */
export async function setDescendantLimits(
  { limits, directory }: SetDescendantLimitsDeps,
  caller: CallPartner,
  ref: WalletRef,
  wanted: SpendingLimits,
  call: CallContext,
): Promise<LimitSetting> {
  if (caller.actingPartnerId !== undefined) throw new AppError('FORBIDDEN_NOT_YOUR_DESCENDANT');
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const place = await findPlace(directory, ref.partnerId, call);
    if (ref.partnerId === caller.partnerId || !place.path.includes(caller.partnerId))
      throw new AppError('FORBIDDEN_NOT_YOUR_DESCENDANT');
    const set = await limits.set(ref, { ancestorId: caller.partnerId }, wanted, place.version);
    if (set) return set;
  }
  throw new AppError('SERVICE_UNAVAILABLE');
}

// A caller learns nothing of partners that are not its own: there being none gets the same response as one of somebody else.
async function findPlace(
  directory: SetDescendantLimitsDeps['directory'],
  partnerId: string,
  call: CallContext,
): Promise<PartnerPlace> {
  try {
    return await directory.findPlace(partnerId, call);
  } catch (error) {
    if (isAppError(error) && error.code === 'NOT_FOUND_PARTNER')
      throw new AppError('FORBIDDEN_NOT_YOUR_DESCENDANT', {}, { cause: error });
    throw error;
  }
}
