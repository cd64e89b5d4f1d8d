/** The products that orders are of. */
export type ProductType = 'Topup' | 'Esim' | 'Scent';

/** Where an order stands; only scent orders know the last three. */
export type OrderStatus =
  | 'Pending'
  | 'Processing'
  | 'Completed'
  | 'Failed'
  | 'InterventionRequired'
  | 'Cancelled'
  | 'Reversed'
  | 'PartiallyDelivered'
  | 'PartiallyReturned'
  | 'Returned';

/** Where a fulfillment group stands. */
export type FulfillmentGroupStatus = 'Pending' | 'Shipped' | 'Delivered' | 'Cancelled';

/** Where a return request stands. */
export type ReturnRequestStatus = 'Pending' | 'Approved' | 'Declined';

/** Why units come back. */
export type ReturnReasonCode = 'Damaged' | 'WrongItem' | 'NotAsDescribed' | 'ChangedMind' | 'Other';

/** What every event has around its data. */
interface Envelope<Type extends string, Data> {
  /** The same for every retry, redelivery and subscription: what to deduplicate on. */
  eventId: string;
  eventType: Type;
  /** ISO 8601, UTC. */
  occurredAt: string;
  data: Data;
}

/** An order right after the change that the event tells of. */
export interface OrderData {
  orderGlobalId: string;
  partnerId: string;
  productType: ProductType;
  externalReference: string;
  /** With VAT, in `currency`; on order.returned what was refunded. */
  amount: number;
  currency: string;
  failureCode: string | null;
  status: OrderStatus;
  customerRef: string | null;
}

/** A fulfillment group that changed its status, and how far its order is. */
export interface FulfilmentData {
  orderGlobalId: string;
  scentOrderId: string;
  partnerId: string;
  externalReference: string;
  fulfillmentGroupId: string;
  status: FulfillmentGroupStatus;
  deliveredAt: string | null;
  deliveryRollup: { totalGroups: number; deliveredGroups: number };
}

/** A return request that was made or decided. */
export interface ReturnRequestData {
  returnRequestId: string;
  scentOrderId: string;
  orderGlobalId: string;
  fulfillmentGroupId: string;
  partnerId: string;
  status: ReturnRequestStatus;
  requestedAt: string;
  decidedAt: string | null;
  declineReason: string | null;
  lines: { id: string; scentOrderLineId: string; quantity: number; reasonCode: ReturnReasonCode }[];
}

/** A registration whose variant can be had again. */
export interface BackInStockData {
  registrationId: string;
  variantId: string;
  sku: string;
  partnerId: string;
  customerRef: string | null;
  availability: 'Limited' | 'Available';
  /** Null when there are more than 20. */
  availableQuantity: number | null;
}

/** An order is being processed, or done: `data.status` says which. */
export type OrderCompletedEvent = Envelope<'order.completed', OrderData>;
export type OrderFailedEvent = Envelope<'order.failed', OrderData>;
/** `data.status` is Cancelled or Reversed. */
export type OrderCancelledEvent = Envelope<'order.cancelled', OrderData>;
export type OrderReturnedEvent = Envelope<'order.returned', OrderData>;
export type OrderFulfilmentUpdatedEvent = Envelope<'order.fulfilment-updated', FulfilmentData>;
export type OrderReturnRequestUpdatedEvent = Envelope<'order.return-request.updated', ReturnRequestData>;
export type VariantBackInStockEvent = Envelope<'variant.back-in-stock', BackInStockData>;

/**
 * Every event there is today, told apart by `eventType`. A type that a later version of the platform adds reaches you
 * too once you subscribe to it, so let your switch have a default.
 */
export type WebhookEvent =
  | OrderCompletedEvent
  | OrderFailedEvent
  | OrderCancelledEvent
  | OrderReturnedEvent
  | OrderFulfilmentUpdatedEvent
  | OrderReturnRequestUpdatedEvent
  | VariantBackInStockEvent;
