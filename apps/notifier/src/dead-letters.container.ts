import type { EventHandler } from '@reseller/messaging';
import type { Pool } from 'pg';
import { addWebhookEvents } from './delivery/webhook-event.repository';
import { createPartnerConsumer } from './partner/partner.consumer';
import { PartnerRepository } from './partner/partner.repository';
import { createWebhookConsumer } from './event/domain-event.consumer';

/** The service's consumers on a database, without the service: the instances that run send what is due. */
export function createConsumers(pool: Pool): EventHandler[] {
  return [
    createWebhookConsumer((events) => addWebhookEvents(pool, events)),
    createPartnerConsumer(new PartnerRepository(pool)),
  ];
}
