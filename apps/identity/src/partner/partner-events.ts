import { PartnerRegistered, PartnerUpdated } from '@reseller/contracts';
import type { Queryable } from '@reseller/database';
import { appendToOutbox, PARTNER_TOPIC } from '@reseller/messaging';
import { toPartnerMessage } from './partner.mapper';
import type { PartnerRecord } from './partner.repository';

/** Publishes a new partner; it leaves the service only when the caller's transaction commits. */
export async function appendPartnerRegistered(tx: Queryable, partner: PartnerRecord): Promise<void> {
  const payload = Buffer.from(PartnerRegistered.encode({ partner: toPartnerMessage(partner) }).finish());
  await appendToOutbox(tx, {
    topic: PARTNER_TOPIC,
    type: 'reseller.identity.v1.PartnerRegistered',
    aggregateId: partner.id,
    payload,
  });
}

/** Publishes a partner as it stands after a change; it leaves the service only when the transaction commits. */
export async function appendPartnerUpdated(tx: Queryable, partner: PartnerRecord): Promise<void> {
  const payload = Buffer.from(PartnerUpdated.encode({ partner: toPartnerMessage(partner) }).finish());
  await appendToOutbox(tx, {
    topic: PARTNER_TOPIC,
    type: 'reseller.identity.v1.PartnerUpdated',
    aggregateId: partner.id,
    payload,
  });
}
