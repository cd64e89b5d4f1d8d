import type { Contract } from '../prelude';
import { deadLetters } from '../common/dead-letter.contract';
import { idempotencyKeys } from '../common/idempotency-key.contract';
import { PUBLIC_URL, typeOf } from './arrange';
import { deliveryOperations } from './delivery-operations.contract';
import { diagnoses } from './diagnosis.contract';
import { consumed } from './events.contract';
import { feed, feedWatch } from './feed.contract';
import { webhooks } from './webhook.contract';

/** Everything other services may rely on in notifier. */
export const notifierContract: Contract = {
  app: 'notifier',
  dependencies: () => ({}),
  services: [
    webhooks,
    diagnoses,
    feed,
    feedWatch,
    deliveryOperations,
    idempotencyKeys(async (world) => [
      'CreateWebhook',
      world.partner(),
      { url: PUBLIC_URL, event_types: [typeOf('order.completed')] },
    ]),
    deadLetters('reseller.orders.order.v1', 'reseller.orders.v1.OrderCompleted'),
  ],
  publishes: [],
  consumes: consumed,
};
