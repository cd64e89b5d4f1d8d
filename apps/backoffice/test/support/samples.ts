import {
  Availability,
  DeadLetterReason,
  DeadLetterState,
  Environment,
  OrderStatus,
  ProductType,
  ReferenceType,
  TaxClassification,
  TransactionType,
  WebhookDeliveryStatus,
  WebhookErrorSummary,
  WebhookEventType,
  type Partner,
} from '@reseller/contracts';
import { v4 as newId } from 'uuid';

/** When everything here happened. */
export const AT = new Date('2026-03-01T10:00:00.000Z');
/** So many milliseconds after it. */
export const later = (ms: number): Date => new Date(AT.getTime() + ms);

// What the fakes reply where a test looks at the values. A field that is not here is as the golden files have it.

export const aPartner = (fields: Partial<Partner> = {}) => ({
  id: newId(),
  name: 'Acme',
  commissionRate: '0.125',
  ...fields,
});

export const aSummary = {
  productType: ProductType.TOPUP,
  orderId: newId(),
  orderGlobalId: 'ORD-1',
  status: OrderStatus.INTERVENTION_REQUIRED,
  amount: '10.50',
  submittedAt: AT,
  partnerId: newId(),
  environment: Environment.LIVE,
};

export const aTransaction = {
  transactionId: '42',
  transactionType: TransactionType.CREDIT,
  occurredAt: later(20),
  referenceType: ReferenceType.DEPOSIT,
  amount: '10.50',
};

export const aVariant = {
  id: newId(),
  scentId: newId(),
  scentName: 'Layl Oud',
  brandId: newId(),
  brandName: 'Maison Qamar',
  warehouseCode: 'RUH-1',
  sku: 'QMR-LAYL-EDP-050',
  sizeMl: 50,
  listPrice: '210.00',
  cost: '88.20',
  taxClassification: TaxClassification.STANDARD,
  isSample: false,
  stockOnHand: 7,
  stockReserved: 3,
  availability: Availability.LIMITED,
  firstOfferedAt: AT,
  restockedAt: undefined,
  partnerPrices: [{ partnerId: aSummary.partnerId, listPrice: '199.90' }],
  stock: [
    { environment: Environment.LIVE, stockOnHand: 7, stockReserved: 3 },
    { environment: Environment.SANDBOX, stockOnHand: 40, stockReserved: 0 },
  ],
};

const anAttempt = { responseStatus: 500, durationMs: 12, errorSummary: WebhookErrorSummary.DELIVERY_FAILED };

export const aDelivery = {
  ...anAttempt,
  id: newId(),
  partnerId: aSummary.partnerId,
  environment: Environment.LIVE,
  eventId: newId(),
  eventType: WebhookEventType.ORDER_COMPLETED,
  status: WebhookDeliveryStatus.DEAD_LETTERED,
  createdAt: later(25),
  attempts: [{ ...anAttempt, attemptNumber: 1, attemptedAt: later(45) }],
  orderGlobalId: 'ORD-1',
};

export const aDeadLetter = {
  id: newId(),
  group: 'notifier.webhooks',
  eventId: newId(),
  topic: 'reseller.orders.order.v1',
  type: 'reseller.orders.v1.OrderCompleted',
  aggregateId: 'a',
  aggregateSeq: '3',
  occurredAt: AT,
  payloadBase64: '/w==',
  headersJson: '{"request-id":"r-1"}',
  reason: DeadLetterReason.UNDECODABLE,
  message: 'the payload is no OrderCompleted',
  detail: 'RangeError: premature EOF',
  attempts: 1,
  firstFailedAt: AT,
  lastFailedAt: AT,
  state: DeadLetterState.WAITING,
  decidedBy: undefined,
  decidedAt: undefined,
  notes: undefined,
  where: 'in notifier.webhooks',
  whatToDo: 'Redrive it.',
};
