import { VariantBackInStock } from '@reseller/contracts';
import { withTransaction } from '@reseller/database';
import { environmentOf } from '@reseller/rpc';
import type { Pool } from 'pg';
import {
  appendEvents,
  claimStockRise,
  endPiece,
  isAnyStockRise,
  markNotified,
  type NotifiedRegistration,
  type StockRise,
} from './stock-rise.repository';

const TOPIC = 'reseller.scent.registration.v1';
const TYPE = 'reseller.scent.v1.VariantBackInStock';
const PIECE = 500;

/**
 * Notifies up to 500 registrations of one rise of stock and appends their events, all in one transaction apart from the
 * stock's (spec §6.10, §10.3); what a crash leaves is done by the next call. False when there is nothing to do.
 */
export async function notifyRegistrations(pool: Pool, limit = PIECE): Promise<boolean> {
  if (!(await isAnyStockRise(pool))) return false;
  return withTransaction(pool, async (tx) => {
    const rise = await claimStockRise(tx);
    if (!rise) return false;
    const registrations = await markNotified(tx, rise, limit);
    const payloads = registrations.map((registration) => toPayload(registration, rise));
    await appendEvents(tx, rise, { topic: TOPIC, type: TYPE, payloads });
    await endPiece(tx, rise, registrations.length < limit);
    return true;
  });
}

function toPayload(registration: NotifiedRegistration, { variantId, sku, available }: StockRise): Buffer {
  const { id, partnerId, environment, customerRef } = registration;
  const event = VariantBackInStock.encode({
    registrationId: id,
    variantId,
    sku,
    partnerId,
    environment: environmentOf(environment),
    customerRef: customerRef ?? undefined,
    availableQuantity: available,
  });
  return Buffer.from(event.finish());
}
