import { PartnerRegistered, PartnerUpdated } from '@reseller/contracts';
import { appendToOutbox, PARTNER_TOPIC } from '@reseller/messaging';
import type { Transaction } from '../transaction';
import { toPartnerMessage } from './partner.mapper';
import type { PartnerRecord, PartnerRepository } from './partner.repository';

const EVENTS = { PartnerRegistered, PartnerUpdated };

/** Publishes partners as they stand after a change; it leaves the service only when the caller's transaction commits. */
export async function appendPartnerEvents(
  name: keyof typeof EVENTS,
  changed: readonly PartnerRecord[],
  partners: Pick<PartnerRepository, 'findFrozen'>,
  tx: Transaction,
): Promise<void> {
  const frozen = await partners.findFrozen(
    changed.map(({ id }) => id),
    tx,
  );
  for (const partner of changed) {
    const event = { partner: toPartnerMessage(partner), isFrozenWithAncestors: frozen.has(partner.id) };
    await appendToOutbox(tx.sql, {
      topic: PARTNER_TOPIC,
      type: `reseller.identity.v1.${name}`,
      aggregateId: partner.id,
      payload: Buffer.from(EVENTS[name].encode(event).finish()),
    });
  }
}
