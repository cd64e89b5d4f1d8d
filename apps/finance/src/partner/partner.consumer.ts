import type { Queryable } from '@reseller/database';
import { createPartnerProjection, type EventHandler, type PartnerProjection } from '@reseller/messaging';
import type { MovedPartner } from '../limit/end-former-ancestors-limits';
import type { PartnerProfileRepository } from './partner-profile.repository';

/** The consumer group and inbox name of this projection. */
export const PARTNER_CONSUMER = 'finance.partner-profile';

/** Takes over what this service needs of partners: their settings, and who is above them for the limits on their spending. */
export function createPartnerConsumer(
  pool: PartnerProjection['pool'],
  profiles: PartnerProfileRepository,
  endFormerAncestorsLimits: (
    tx: Queryable,
    partner: MovedPartner,
    record: () => Promise<boolean>,
  ) => Promise<void>,
): EventHandler {
  return createPartnerProjection({
    pool,
    group: PARTNER_CONSUMER,
    record: (tx, { id: partnerId, displayCurrency, version, path }) =>
      endFormerAncestorsLimits(tx, { partnerId, path }, () =>
        profiles.record(tx, { partnerId, displayCurrency, version }),
      ),
  });
}
