import { PartnerRegistered, PartnerUpdated, type Partner } from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { handleOnce, type DomainEvent } from '@reseller/messaging';
import type { PartnerProfileRepository } from './partner-profile.repository';

/** Where identity publishes its partners. */
export const PARTNER_TOPIC = 'reseller.identity.partner.v1';

/** The consumer group and inbox name of this projection. */
export const PARTNER_CONSUMER = 'finance.partner-profile';

type Pool = Parameters<typeof withTransaction>[0];

/** Takes partners' settings over, each event once and never backwards; later kinds of events on the topic are left alone. */
export function createPartnerHandler(
  pool: Pool,
  profiles: PartnerProfileRepository,
): (events: DomainEvent[]) => Promise<void> {
  return async (events) => {
    for (const event of events) {
      const partner = partnerOf(event);
      if (!partner) continue;
      const { id: partnerId, displayCurrency, version } = partner;
      await withTransaction(pool, (tx) =>
        handleOnce(tx, { consumer: PARTNER_CONSUMER, event }, () =>
          profiles.record(tx, { partnerId, displayCurrency, version }),
        ),
      );
    }
  };
}

function partnerOf({ type, payload }: DomainEvent): Partner | undefined {
  if (type === 'reseller.identity.v1.PartnerRegistered') return PartnerRegistered.decode(payload).partner;
  if (type === 'reseller.identity.v1.PartnerUpdated') return PartnerUpdated.decode(payload).partner;
  return undefined;
}
