import type { Contract } from '../contract';
import { deliveryOperations } from './delivery-operations.contract';
import { consumed } from './events.contract';
import { webhooks } from './webhook.contract';

/** Everything other services may rely on in notifier. */
export const notifierContract: Contract = {
  app: 'notifier',
  dependencies: () => ({}),
  services: [webhooks, deliveryOperations],
  publishes: [],
  consumes: consumed,
};
