import type { SetPartnerFrozenRequest } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { Operator } from '../audit/operator';
import type { PartnerDeps } from './create-partner';
import { appendPartnerEvents } from './partner-events';
import type { PartnerRecord } from './partner.repository';

/**
 * Freezes a partner with everybody below it, or ends its own freeze, with audit entry and an event for each of them in one
 * transaction (spec §18.5); what changes nothing leaves no trace. Throws NOT_FOUND_PARTNER.
 */
export async function setPartnerFrozen(
  { transact, partners, audit }: PartnerDeps,
  operator: Operator,
  { partnerId, isFrozen }: SetPartnerFrozenRequest,
): Promise<PartnerRecord> {
  if (!isUuid(partnerId)) throw new AppError('NOT_FOUND_PARTNER');
  return transact(async (tx) => {
    // Whoever comes below it meanwhile would not inherit that it is frozen.
    await partners.lockHierarchy(tx);
    const present = await partners.findForUpdate(partnerId, tx);
    if (!present) throw new AppError('NOT_FOUND_PARTNER');
    if (present.isFrozen === isFrozen) return present;

    const { changed, descendants } = await partners.setFrozen(present.id, isFrozen, tx);
    const action = isFrozen ? 'partner.freeze' : 'partner.unfreeze';
    const details = { descendants: descendants.length };
    await audit.append(
      { ...operator, partnerId: changed.id, action, subject: changed.globalId, details },
      tx,
    );
    await appendPartnerEvents('PartnerUpdated', [changed, ...descendants], partners, tx);
    return changed;
  });
}
