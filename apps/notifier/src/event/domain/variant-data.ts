import type { VariantBackInStock } from '@reseller/contracts';
import { environmentOf, type PublicEvent } from './webhook-event';

const LIMITED_UP_TO = 5;
const SHOWN_UP_TO = 20;

/** What an event says about a registration that became Notified (spec §10.3). */
export function backInStockEvent(variant: VariantBackInStock): PublicEvent {
  const { partnerId, availableQuantity: available } = variant;
  const data = {
    registrationId: variant.registrationId,
    variantId: variant.variantId,
    sku: variant.sku,
    partnerId,
    customerRef: variant.customerRef ?? null,
    // As the catalog shows them (spec §5.4); a rise is never to nothing.
    availability: available <= LIMITED_UP_TO ? 'Limited' : 'Available',
    availableQuantity: available <= SHOWN_UP_TO ? available : null,
  };
  const environment = environmentOf(variant.environment);
  return { eventType: 'variant.back-in-stock', partnerId, environment, orderGlobalId: null, data };
}
