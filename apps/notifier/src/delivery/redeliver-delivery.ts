import { AppError } from '@reseller/errors';
import type { DeliveryRepository } from './delivery.repository';
import { requireRedeliverable, type Delivery } from './domain/delivery';

/** What redelivering needs. */
export interface RedeliverDeps {
  deliveries: DeliveryRepository;
  /** Says that a delivery is due. */
  wake(): void;
}

/**
 * Sends a finished delivery's event again, with the same event id, as a new delivery; on a paused subscription it waits.
 * A second one within a second for the same event and subscription is RATE_LIMITED (spec §10.6). Without a
 * subscription id any delivery may be named, as operators may.
 */
export async function redeliverDelivery(
  { deliveries, wake }: RedeliverDeps,
  deliveryId: string,
  subscriptionId?: string,
): Promise<Delivery> {
  const old = await getDelivery(deliveries, deliveryId);
  if (subscriptionId !== undefined && old.subscriptionId !== subscriptionId)
    throw new AppError('NOT_FOUND_WEBHOOK_DELIVERY');
  requireRedeliverable(old);
  const made = await deliveries.redeliver(old);
  if (!made) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
  // In a transaction that is under way it is found a moment later by the next look.
  wake();
  return made;
}

/** A delivery whose event may still be sent again; NOT_FOUND_WEBHOOK_DELIVERY for any other. */
export async function getDelivery(deliveries: DeliveryRepository, deliveryId: string): Promise<Delivery> {
  const delivery = await deliveries.findRedeliverable(deliveryId);
  if (!delivery) throw new AppError('NOT_FOUND_WEBHOOK_DELIVERY');
  return delivery;
}
