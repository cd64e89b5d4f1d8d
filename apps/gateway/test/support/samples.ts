import {
  Availability,
  Badge,
  Environment,
  Gender,
  OrderStatus,
  ProductType,
  ReferenceType,
  StatementEmailStatus,
  TaxClassification,
  TransactionType,
  WebhookDeliveryStatus,
  WebhookErrorSummary,
  WebhookEventType,
  WebhookLastDeliveryStatus,
  type EsimOrder,
  type TopupOrder,
  type Variant,
  type WebhookDelivery,
  type WebhookSubscription,
} from '@reseller/contracts';

// What the fakes reply where a test looks at the values. A field that is not here is as the golden files have it.

export const ACME = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';
export const ACME_NORTH = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a11';
const AT = new Date('2026-01-15T09:30:00Z');

export const someTopupOrder = (changes: Partial<TopupOrder> = {}) => ({
  orderId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  orderGlobalId: 'ORD-1',
  sagaId: 'saga-1',
  partnerId: ACME,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'ref-1',
  phoneNumber: '+966501234567',
  amount: '10.10',
  status: OrderStatus.COMPLETED,
  vendorOrderId: 'V-1',
  submittedAt: AT,
  completedAt: new Date('2026-01-15T09:30:01Z'),
  currentRetryCount: 0,
  displayRate: { currency: 'USD', rate: '0.266667' },
  ...changes,
});

/** Not yet decided. */
export const someEsimOrder = (changes: Partial<EsimOrder> = {}) => ({
  orderId: someTopupOrder().orderId,
  orderGlobalId: 'ES-1',
  sagaId: 'saga-1',
  partnerId: ACME,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'ref-1',
  productSku: 'ESIM-SA-1GB-7D',
  email: 'a+pending@example.com',
  dataAllowance: '2.500',
  validityDays: 7,
  status: OrderStatus.PROCESSING,
  statusDescription: 'The vendor is working on it.',
  submittedAt: AT,
  currentRetryCount: 0,
  nextPollAt: new Date('2026-01-15T09:30:02Z'),
  ...changes,
});

export const someSummary = {
  productType: ProductType.TOPUP,
  orderGlobalId: 'ORD-1',
  status: OrderStatus.COMPLETED,
  amount: '10.10',
};

export const someEsimProduct = {
  productSku: 'ESIM-SA-1GB-7D',
  dataAllowance: '2.500',
  validityDays: 7,
  amount: '19.90',
};

/** With so many lines. */
export const someStatement = (lineCount = 1) => ({
  id: '019a2f60-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  document: {
    partnerId: ACME,
    partnerGlobalId: 'PRT-000001',
    sequenceNumber: 1,
    statementNumber: 'ST-PRT-000001-000001',
    isProvisional: false,
    periodFromAt: new Date('2026-01-01T00:00:00Z'),
    periodToAt: new Date('2026-02-01T00:00:00Z'),
    generatedAt: new Date('2026-02-01T00:10:00Z'),
    totalDebits: '10.10',
    totalCredits: '0.00',
    netPosition: '-10.10',
    platformTaxRegistrationNumber: undefined,
    partnerTaxRegistrationNumber: '311',
    documentNature: 'Not a legal tax invoice.',
    afterPosition: '4',
    upToPosition: String(4 + lineCount),
  },
  emailStatus: StatementEmailStatus.SKIPPED,
  emailStatusReason: 'No mail server is configured',
});

/** A ledger line. */
export const someTransaction = (transactionId = 7) => ({
  transactionId: String(transactionId),
  occurredAt: AT,
  transactionType: TransactionType.DEBIT,
  referenceType: ReferenceType.ORDER,
  referenceId: 'ORD-1',
  amount: '10.10',
  balanceAfter: '89.90',
  notes: '',
});

export const someBrand = { id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b01', name: 'Maison Qamar' };

/** As a partner with the marketing feature gets it. */
export const someVariant = (changes: Partial<Variant> = {}) => ({
  id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b03',
  scentId: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b02',
  sku: 'QMR-LAYLO-EDP-100',
  sizeMl: 100,
  listPrice: '255.10',
  taxClassification: TaxClassification.STANDARD,
  isSample: false,
  availability: Availability.AVAILABLE,
  marketing: {
    currentPrice: '289.00',
    compareAtPrice: '340.00',
    discountPercent: '15.00',
    badges: [Badge.NEW_ARRIVAL, Badge.BEST_SELLER],
  },
  ...changes,
});

export const someScent = {
  id: someVariant().scentId,
  brandId: someBrand.id,
  brandName: someBrand.name,
  name: 'Layl Oud',
  description: 'Dark and dry.',
  notes: ['saffron', 'oud'],
  gender: Gender.UNISEX,
  concentration: 'Eau de Parfum',
  variants: [{ ...someVariant(), marketing: undefined }],
};

/** Not used yet. */
export const someWebhook = (changes: Partial<WebhookSubscription> = {}) => ({
  id: '019a2f50-3c2d-7e55-8b1a-3f4e5d6c7b8e',
  partnerId: ACME,
  environment: Environment.SANDBOX,
  url: 'https://hooks.example.com/reseller',
  eventTypes: [WebhookEventType.ORDER_FULFILMENT_UPDATED, WebhookEventType.ORDER_COMPLETED],
  lastDeliveryStatus: WebhookLastDeliveryStatus.UNSPECIFIED,
  createdAt: new Date('2026-01-10T08:00:00Z'),
  ...changes,
});

const someAttempt = {
  responseStatus: undefined,
  durationMs: 12,
  errorSummary: WebhookErrorSummary.CONNECTION_FAILED,
};

/** Given up after one failure. */
export const someWebhookDelivery = (changes: Partial<WebhookDelivery> = {}) => ({
  ...someAttempt,
  id: '019a2f51-4c2d-7e55-8b1a-3f4e5d6c7b8f',
  subscriptionId: someWebhook().id,
  eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
  eventType: WebhookEventType.ORDER_FAILED,
  status: WebhookDeliveryStatus.DEAD_LETTERED,
  attemptCount: 1,
  lastAttemptAt: new Date('2026-01-15T09:30:01Z'),
  isTest: true,
  createdAt: AT,
  attempts: [{ ...someAttempt, attemptNumber: 1, attemptedAt: new Date('2026-01-15T09:30:01Z') }],
  ...changes,
});

/** An order that is done, as webhooks carry it. */
export const somePublicEvent = {
  eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
  body: JSON.stringify({
    eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
    eventType: 'order.completed',
    occurredAt: '2026-01-15T09:30:00.412Z',
    data: {
      orderGlobalId: 'TU-1',
      partnerId: ACME,
      productType: 'Topup',
      externalReference: 'INV-1',
      amount: 25.5,
      currency: 'SAR',
      failureCode: null,
      status: 'Completed',
      customerRef: null,
    },
  }),
};
