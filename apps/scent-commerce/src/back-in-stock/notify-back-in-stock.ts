import { VariantBackInStock } from '@reseller/contracts';
import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { environmentOf } from '@reseller/rpc';
import { currentHeaders } from '@reseller/telemetry';
import { markNotified, type NotifiedRegistration } from './registration.repository';
import type { StockRise } from '../stock/stock.repository';

const TOPIC = 'reseller.scent.registration.v1';
const TYPE = 'reseller.scent.v1.VariantBackInStock';

// Raw: many may wait for one variant, and its stock is locked meanwhile; all their events are one statement.
const APPEND: PreparedStatement = {
  name: 'append_back_in_stock',
  text: `SELECT outbox_append($1, $2, $3, e.payload, $5::jsonb) FROM unnest($4::bytea[]) AS e (payload)`,
};

/**
 * Makes every Active registration of variants that are back in stock Notified, and appends one event for each, in the
 * caller's transaction (spec §6.10, §10.3). Whoever registers holds the stock row too, so that a registration is either seen
 * here or made after the rise.
 */
export async function notifyBackInStock(tx: Queryable, rises: readonly StockRise[]): Promise<void> {
  if (rises.length === 0) return;
  const registrations = await markNotified(
    tx,
    rises.map(({ variantId }) => variantId),
  );
  // Variants one after the other in the order of their ids, as whoever appends for several does.
  for (const rise of [...rises].sort((a, b) => (a.variantId < b.variantId ? -1 : 1))) {
    const payloads = registrations
      .filter(({ variantId }) => variantId === rise.variantId)
      .map((registration) => toPayload(registration, rise));
    if (payloads.length === 0) continue;
    await query(tx, APPEND, [TOPIC, TYPE, rise.variantId, payloads, JSON.stringify(currentHeaders())]);
  }
}

function toPayload(registration: NotifiedRegistration, { sku, available }: StockRise): Buffer {
  const { id, variantId, partnerId, environment, customerRef } = registration;
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
