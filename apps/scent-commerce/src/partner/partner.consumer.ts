import { createPartnerProjection, type EventHandler, type PartnerProjection } from '@reseller/messaging';
import type { PartnerProfileRepository } from './partner-profile.repository';

/** The consumer group and inbox name of this projection. */
export const PARTNER_CONSUMER = 'scent-commerce.partner-profile';

/** Takes over what this service needs of partners' settings. */
export function createPartnerConsumer(
  pool: PartnerProjection['pool'],
  profiles: PartnerProfileRepository,
): EventHandler {
  return createPartnerProjection({
    pool,
    group: PARTNER_CONSUMER,
    record: (tx, { id: partnerId, path: ancestors, ...settings }) =>
      profiles.record(tx, { ...settings, partnerId, ancestors }),
  });
}
