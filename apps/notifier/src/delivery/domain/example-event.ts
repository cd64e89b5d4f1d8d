import type { WebhookEventTypeName } from '@reseller/presenters';

const at = '2026-01-15T10:00:00.000Z';
const ids = {
  scentOrderId: '019bc0de-0000-7000-8000-000000000001',
  fulfillmentGroupId: '019bc0de-0000-7000-8000-000000000002',
  returnRequestId: '019bc0de-0000-7000-8000-000000000003',
  registrationId: '019bc0de-0000-7000-8000-000000000004',
  variantId: '019bc0de-0000-7000-8000-000000000005',
  orderItemId: '019bc0de-0000-7000-8000-000000000006',
} as const;

const order = (partnerId: string, status: string, failureCode: string | null = null) => ({
  orderGlobalId: 'EXAMPLE-ORDER-1',
  partnerId,
  productType: 'Scent',
  externalReference: 'example-1',
  amount: 115.5,
  currency: 'SAR',
  failureCode,
  status,
  customerRef: 'customer-1',
});

/** The data of an example event of a type, with every field that real ones have (decisions §10.3). */
export function exampleData(eventType: WebhookEventTypeName, partnerId: string): Record<string, unknown> {
  return EXAMPLES[eventType](partnerId);
}

const EXAMPLES: Record<WebhookEventTypeName, (partnerId: string) => Record<string, unknown>> = {
  'order.completed': (partnerId) => order(partnerId, 'Completed'),
  'order.failed': (partnerId) => order(partnerId, 'Failed', 'VENDOR_REFUSED'),
  'order.cancelled': (partnerId) => order(partnerId, 'Cancelled'),
  'order.returned': (partnerId) => ({ ...order(partnerId, 'Completed'), amount: 57.75 }),
  'order.fulfilment-updated': (partnerId) => ({
    orderGlobalId: 'EXAMPLE-ORDER-1',
    scentOrderId: ids.scentOrderId,
    partnerId,
    externalReference: 'example-1',
    fulfillmentGroupId: ids.fulfillmentGroupId,
    status: 'Delivered',
    deliveredAt: at,
    deliveryRollup: 'Delivered',
  }),
  'order.return-request.updated': (partnerId) => ({
    returnRequestId: ids.returnRequestId,
    scentOrderId: ids.scentOrderId,
    orderGlobalId: 'EXAMPLE-ORDER-1',
    fulfillmentGroupId: ids.fulfillmentGroupId,
    partnerId,
    status: 'Approved',
    requestedAt: at,
    decidedAt: at,
    declineReason: null,
    lines: [{ orderItemId: ids.orderItemId, quantity: 1 }],
  }),
  'variant.back-in-stock': (partnerId) => ({
    registrationId: ids.registrationId,
    variantId: ids.variantId,
    sku: 'EXAMPLE-SKU-50ML',
    partnerId,
    customerRef: 'customer-1',
    availability: 'Available',
    availableQuantity: 12,
  }),
};
