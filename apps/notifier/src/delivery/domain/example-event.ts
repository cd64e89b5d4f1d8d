import {
  Environment,
  FulfillmentGroupStatus,
  OrderStatus,
  ProductType,
  ReturnReason,
  ReturnRequestStatus,
  type OrderSnapshot,
} from '@reseller/contracts';
import type { WebhookEventTypeName } from '@reseller/presenters';
import { fulfilmentEvent, orderEvent, returnRequestEvent } from '../../event/domain/order-data';
import { backInStockEvent } from '../../event/domain/variant-data';
import type { PublicEvent } from '../../event/domain/webhook-event';

const at = new Date('2026-01-15T10:00:00Z');
const id = (last: number): string => `019bc0de-0000-7000-8000-${String(last).padStart(12, '0')}`;
const SCENT_ORDER = id(1);
const GROUP = id(2);

const scentOrder = (partnerId: string, changes: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  orderId: SCENT_ORDER,
  orderGlobalId: 'SC-EXAMPLE',
  partnerId,
  // Of no consequence: the data of an event do not name it.
  environment: Environment.SANDBOX,
  productType: ProductType.SCENT,
  externalReference: 'example-1',
  amount: '115.50',
  currency: 'SAR',
  status: OrderStatus.COMPLETED,
  failureCode: undefined,
  customerRef: 'customer-1',
  ...changes,
});

const refusedTopup = (partnerId: string): OrderSnapshot =>
  scentOrder(partnerId, {
    orderGlobalId: 'TU-EXAMPLE',
    productType: ProductType.TOPUP,
    status: OrderStatus.FAILED,
    failureCode: 'VENDOR_REFUSED',
    customerRef: undefined,
  });

/** Made by what makes real events, so an example has every field that they have. */
const EXAMPLES: Record<WebhookEventTypeName, (partnerId: string) => PublicEvent> = {
  'order.completed': (partnerId) => orderEvent('order.completed', scentOrder(partnerId)),
  'order.failed': (partnerId) => orderEvent('order.failed', refusedTopup(partnerId)),
  'order.cancelled': (partnerId) =>
    orderEvent('order.cancelled', scentOrder(partnerId, { status: OrderStatus.CANCELLED })),
  'order.returned': (partnerId) => {
    const status = OrderStatus.PARTIALLY_RETURNED;
    return orderEvent('order.returned', scentOrder(partnerId, { status, amount: '57.75' }));
  },
  'order.fulfilment-updated': (partnerId) =>
    fulfilmentEvent({
      order: scentOrder(partnerId),
      fulfillmentGroupId: GROUP,
      status: FulfillmentGroupStatus.DELIVERED,
      deliveredAt: at,
      totalGroups: 1,
      deliveredGroups: 1,
    }),
  'order.return-request.updated': (partnerId) =>
    returnRequestEvent({
      order: scentOrder(partnerId),
      returnRequest: {
        returnRequestId: id(3),
        scentOrderId: SCENT_ORDER,
        orderGlobalId: 'SC-EXAMPLE',
        fulfillmentGroupId: GROUP,
        partnerId,
        status: ReturnRequestStatus.APPROVED,
        requestedAt: at,
        decidedAt: at,
        decidedByUserId: undefined,
        declineReason: undefined,
        lines: [{ lineId: id(4), scentOrderLineId: id(5), quantity: 1, reason: ReturnReason.DAMAGED }],
        environment: Environment.SANDBOX,
      },
    }),
  'variant.back-in-stock': (partnerId) =>
    backInStockEvent({
      registrationId: id(6),
      variantId: id(7),
      sku: 'EXAMPLE-SKU-50ML',
      partnerId,
      environment: Environment.SANDBOX,
      customerRef: 'customer-1',
      availableQuantity: 12,
    }),
};

/** The data of an example event of a type, with every field that real ones have (spec §10.3, §10.7). */
export function exampleData(eventType: WebhookEventTypeName, partnerId: string): PublicEvent['data'] {
  return EXAMPLES[eventType](partnerId).data;
}
