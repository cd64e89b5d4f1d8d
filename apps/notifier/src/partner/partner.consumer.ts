import { readPartnerEvent, type DomainEvent, type EventHandler } from '@reseller/messaging';
import type { PartnerRepository } from './partner.repository';

/** The group that takes partners in; its name must not change. */
const PARTNER_GROUP = 'notifier.partners';

/** Takes over which partners are frozen, themselves or by one above them, so that their deliveries wait (spec §18.5). */
export function createPartnerConsumer(partners: PartnerRepository): EventHandler {
  const handler = async (events: DomainEvent[]): Promise<void> => {
    for (const event of events) {
      const read = readPartnerEvent(event);
      if (read) await partners.record(read.partner.id, read.isFrozenWithAncestors, read.partner.version);
    }
  };
  return { group: PARTNER_GROUP, handler };
}
