import {
  OrderCancelled,
  OrderCompleted,
  OrderFailed,
  OrderProcessingStarted,
  OrderReturned,
  OrderReversed,
  OrderStatus,
  ProductType,
  WebhookEventType,
  type OrderSnapshot,
} from '@reseller/contracts';
import { InvalidEventError } from '@reseller/errors';
import { toJsonNumber } from '@reseller/money';
import { z } from 'zod';
import { ORDER_STATUSES, STATUS_NAMES } from '../order-names';
import { PRODUCT_NAMES, type ProductName } from '../products';
import { presentEnum } from '../values';
import { defineWebhookEvent, requireEnvironment, type PresentedEvent } from './define-webhook-event';
import { exampleOrder } from './examples';

/** The topic of what happens to orders. */
export const ORDER_TOPIC = 'reseller.orders.order.v1';

const orderData = z
  .strictObject({
    orderGlobalId: z.string(),
    partnerId: z.string(),
    productType: z
      .enum(Object.values(PRODUCT_NAMES) as ProductName[])
      .meta({ id: 'ProductType', description: 'The products that orders are of.' }),
    externalReference: z.string(),
    amount: z.number().meta({ description: 'With VAT, in `currency`; on order.returned what was refunded.' }),
    currency: z.string(),
    failureCode: z.string().nullable(),
    status: z.enum(ORDER_STATUSES).meta({
      id: 'OrderStatus',
      description: 'Where an order stands; only scent orders know the last three.',
    }),
    customerRef: z.string().nullable(),
  })
  .meta({ id: 'OrderData', description: 'An order right after the change that the event is about.' });

const DECIMAL = /^-?\d{1,18}(\.\d{1,9})?$/;

/** The order of an event; one without an order, or an amount, is invalid. */
export function requireOrder(order: OrderSnapshot | undefined): OrderSnapshot {
  if (!order) throw new InvalidEventError('RuleBroken', 'the event carries no order');
  if (!DECIMAL.test(order.amount)) throw new InvalidEventError('RuleBroken', 'order.amount is no decimal');
  return order;
}

function presentOrder({
  order,
}: {
  order?: OrderSnapshot | undefined;
}): PresentedEvent<z.infer<typeof orderData>> {
  const snapshot = requireOrder(order);
  const { partnerId, orderGlobalId, externalReference, currency } = snapshot;
  const data = {
    orderGlobalId,
    partnerId,
    productType: presentEnum(PRODUCT_NAMES, snapshot.productType),
    externalReference,
    amount: toJsonNumber(snapshot.amount),
    currency,
    failureCode: snapshot.failureCode ?? null,
    status: presentEnum(STATUS_NAMES, snapshot.status),
    customerRef: snapshot.customerRef ?? null,
  };
  return { partnerId, environment: requireEnvironment(snapshot.environment), orderGlobalId, data };
}

/** What every event about a whole order has: its topic, the form of its data, and how it is presented. */
export const aboutOrder = { topic: ORDER_TOPIC, schema: orderData, present: presentOrder };

/** What happens to an order as a whole (spec §10.3). */
export const ORDER_EVENTS = [
  // There is no order.processing event: an order that enters an in-progress status is folded into this one.
  defineWebhookEvent({
    ...aboutOrder,
    name: 'order.completed',
    type: WebhookEventType.ORDER_COMPLETED,
    sources: {
      'reseller.orders.v1.OrderProcessingStarted': OrderProcessingStarted,
      'reseller.orders.v1.OrderCompleted': OrderCompleted,
    },
    description:
      'An order is being processed, or done; `data.status` says which. `Processing`: the vendor has a top-up or eSIM and has not decided within your request, or a scent order is paid and being fulfilled. `Completed`: delivered and charged. The two are two events with two eventIds; a top-up or eSIM that ends within its request has the second one only.',
    example: (partnerId) => ({ order: exampleOrder(partnerId) }),
  }),
  defineWebhookEvent({
    ...aboutOrder,
    name: 'order.failed',
    type: WebhookEventType.ORDER_FAILED,
    sources: { 'reseller.orders.v1.OrderFailed': OrderFailed },
    description:
      'An order that existed became `Failed`; nothing is charged and nothing stays set aside. `failureCode` says why.',
    example: (partnerId) => ({
      order: exampleOrder(partnerId, {
        orderGlobalId: 'TU-EXAMPLE',
        productType: ProductType.TOPUP,
        status: OrderStatus.FAILED,
        failureCode: 'VENDOR_REFUSED',
        customerRef: undefined,
      }),
    }),
  }),
  defineWebhookEvent({
    ...aboutOrder,
    name: 'order.cancelled',
    type: WebhookEventType.ORDER_CANCELLED,
    sources: {
      'reseller.orders.v1.OrderCancelled': OrderCancelled,
      'reseller.orders.v1.OrderReversed': OrderReversed,
    },
    description:
      '`Cancelled`: ended before any vendor was called or, of a scent order, every fulfillment group was cancelled; what was charged is refunded. `Reversed`: refunded by an operator after it was completed.',
    example: (partnerId) => ({ order: exampleOrder(partnerId, { status: OrderStatus.CANCELLED }) }),
  }),
  defineWebhookEvent({
    ...aboutOrder,
    name: 'order.returned',
    type: WebhookEventType.ORDER_RETURNED,
    sources: { 'reseller.orders.v1.OrderReturned': OrderReturned },
    description:
      'Units of an approved return are refunded. `amount` is what was refunded this time; `status` is `PartiallyReturned` or `Returned`, and `PartiallyDelivered` while another fulfillment group is still open.',
    example: (partnerId) => ({
      order: exampleOrder(partnerId, { status: OrderStatus.PARTIALLY_RETURNED, amount: '57.75' }),
    }),
  }),
] as const;
