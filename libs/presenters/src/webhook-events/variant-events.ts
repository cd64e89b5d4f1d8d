import { Environment, VariantBackInStock, WebhookEventType } from '@reseller/contracts';
import { z } from 'zod';
import { defineWebhookEvent, requireEnvironment } from './define-webhook-event';
import { exampleId } from './examples';

const LIMITED_UP_TO = 5;
const MAX_STATED_QUANTITY = 20;

const backInStockData = z
  .strictObject({
    registrationId: z.string(),
    variantId: z.string(),
    sku: z.string(),
    partnerId: z.string(),
    customerRef: z.string().nullable(),
    availability: z.enum(['Limited', 'Available']),
    availableQuantity: z.int().nullable().meta({ description: 'Null when there are more than 20.' }),
  })
  .meta({ id: 'BackInStockData', description: 'A registration whose variant can be had again.' });

/** A registration became Notified (spec §10.3). */
export const backInStock = defineWebhookEvent({
  name: 'variant.back-in-stock',
  type: WebhookEventType.VARIANT_BACK_IN_STOCK,
  topic: 'reseller.scent.registration.v1',
  sources: { 'reseller.scent.v1.VariantBackInStock': VariantBackInStock },
  schema: backInStockData,
  description:
    'A variant that you registered for can be had again: its available quantity rose from 0. `availability` is `Limited` up to 5; `availableQuantity` is null above 20. One event a registration.',
  present(variant) {
    const { partnerId, availableQuantity: available } = variant;
    const data = {
      registrationId: variant.registrationId,
      variantId: variant.variantId,
      sku: variant.sku,
      partnerId,
      customerRef: variant.customerRef ?? null,
      // As the catalog shows them (spec §5.4); a rise is never to nothing.
      availability: available <= LIMITED_UP_TO ? ('Limited' as const) : ('Available' as const),
      availableQuantity: available <= MAX_STATED_QUANTITY ? available : null,
    };
    return { partnerId, environment: requireEnvironment(variant.environment), orderGlobalId: null, data };
  },
  example: (partnerId) => ({
    registrationId: exampleId(6),
    variantId: exampleId(7),
    sku: 'EXAMPLE-SKU-50ML',
    partnerId,
    environment: Environment.SANDBOX,
    customerRef: 'customer-1',
    availableQuantity: 12,
  }),
});
