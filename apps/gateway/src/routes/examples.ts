// One order, wallet and partner that all examples of the reference are about.

const PARTNER_ID = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';

/** A page of one. */
export const examplePagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };

const exampleProgress = {
  errorMessage: null,
  failureCode: null,
  submittedAt: '2026-01-15T09:30:00.000Z',
  completedAt: '2026-01-15T09:30:00.412Z',
  currentRetryCount: 0,
  nextPollAt: null,
  currency: 'SAR',
  displayCurrency: 'USD',
  rate: 0.266667,
};

/** A top-up of 25.50 SAR that went through. */
export const exampleTopupOrder = {
  orderId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  orderGlobalId: 'TU-01K8QM071DFSARP6HZ9SEPRYWA',
  sagaId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8b',
  partnerId: PARTNER_ID,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'INV-2026-0042',
  phoneNumber: '+966501234567',
  status: 'Completed' as const,
  statusDetail: { productType: 'Topup' as const, statusCode: 'TOPUP_SUCCESS', description: null },
  vendorOrderId: 'V-7781',
  ...exampleProgress,
  amount: 25.5,
  amountDisplay: 6.8,
};

/** An eSIM of 59 SAR that was provisioned. */
export const exampleEsimOrder = {
  orderId: '019a2f41-2c2d-7e55-8b1a-3f4e5d6c7b8c',
  orderGlobalId: 'ES-01K8QM2B1DFSARP6HZ9SEPRYWC',
  sagaId: '019a2f41-2c2d-7e55-8b1a-3f4e5d6c7b8d',
  partnerId: PARTNER_ID,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'INV-2026-0043',
  productSku: 'ESIM-SA-5GB-30D',
  email: 'traveller@example.com',
  dataAllowance: 5,
  validityDays: 30,
  status: 'Completed' as const,
  statusDetail: { productType: 'Esim' as const, statusCode: 'ESIM_SUCCESS', description: null },
  esimIccid: '89966990000000000015',
  esimQrCode: 'LPA:1$smdp.example.com$4F2A-91C0-77DE-03B8',
  esimQrCodeImage: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
  esimActivationCode: '4F2A-91C0-77DE-03B8',
  esimPlanDetails: 'Saudi Arabia, 5 GB for 30 days; starts when first connected.',
  ...exampleProgress,
  amount: 59,
  amountDisplay: 15.73,
};

/** The same order as the unified list shows it. */
export const exampleOrderSummary = {
  productType: 'Topup' as const,
  orderId: exampleTopupOrder.orderId,
  orderGlobalId: exampleTopupOrder.orderGlobalId,
  externalReference: exampleTopupOrder.externalReference,
  status: exampleTopupOrder.status,
  amount: exampleTopupOrder.amount,
  currency: exampleTopupOrder.currency,
  submittedAt: exampleTopupOrder.submittedAt,
  completedAt: exampleTopupOrder.completedAt,
  customerRef: null,
  displayCurrency: exampleTopupOrder.displayCurrency,
  rate: exampleTopupOrder.rate,
  amountDisplay: exampleTopupOrder.amountDisplay,
};

/** A brand of the catalog. */
export const exampleBrand = { id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b01', name: 'Maison Qamar' };

/** A variant of 289 SAR, lowered from 340. */
export const exampleVariant = {
  id: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b03',
  scentId: '019a2f50-1c2d-7e55-8b1a-3f4e5d6c7b02',
  sku: 'QMR-LAYLO-EDP-100',
  sizeMl: 100,
  listPrice: 289,
  baseCurrency: 'SAR',
  rrp: 340,
  taxClassification: 'STANDARD' as const,
  isSample: false,
  availability: 'Limited' as const,
  availableQuantity: 4,
  displayCurrency: 'USD',
  rate: 0.266667,
  listPriceDisplay: 77.07,
  rrpDisplay: 90.67,
  marketing: {
    currentPrice: 289,
    compareAtPrice: 340,
    discountPercent: 15,
    badges: ['LIMITED' as const, 'BEST_SELLER' as const],
    currentPriceDisplay: 77.07,
    compareAtPriceDisplay: 90.67,
  },
};

/** The scent that it is a variant of. */
export const exampleScent = {
  id: exampleVariant.scentId,
  brandId: exampleBrand.id,
  brandName: exampleBrand.name,
  name: 'Layl Oud',
  description: 'A dark, dry oud that warms to amber over the evening.',
  notes: ['saffron', 'oud', 'amber'],
  gender: 'Unisex' as const,
  concentration: 'Eau de Parfum',
  variants: [exampleVariant],
};

/** A subscription to two events, which has been used. */
export const exampleWebhook = {
  id: '019a2f50-3c2d-7e55-8b1a-3f4e5d6c7b8e',
  partnerId: PARTNER_ID,
  url: 'https://hooks.example.com/reseller',
  eventTypes: ['order.completed' as const, 'order.failed' as const],
  isActive: true,
  lastDeliveryAt: '2026-01-15T09:30:01.120Z',
  lastDeliveryStatus: 'Delivered' as const,
  createdAt: '2026-01-10T08:00:00.000Z',
};

/** The same, new, with a secret of the right shape. */
export const exampleWebhookWithSecret = {
  subscription: { ...exampleWebhook, lastDeliveryAt: null, lastDeliveryStatus: null },
  secret: 'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleE',
};

/** An event that came through at the second attempt. */
export const exampleWebhookDelivery = {
  id: '019a2f51-4c2d-7e55-8b1a-3f4e5d6c7b8f',
  subscriptionId: exampleWebhook.id,
  eventId: '019a2f51-4b2d-7e55-8b1a-3f4e5d6c7b90',
  eventType: 'order.completed' as const,
  status: 'Delivered' as const,
  attemptCount: 2,
  lastAttemptAt: '2026-01-15T09:30:31.120Z',
  nextAttemptAt: null,
  responseStatus: 204,
  durationMs: 38,
  errorSummary: null,
  isTest: false,
  createdAt: '2026-01-15T09:30:00.500Z',
  attempts: [
    {
      attemptNumber: 1,
      attemptedAt: '2026-01-15T09:30:00.520Z',
      responseStatus: 503,
      durationMs: 600,
      errorSummary: 'Delivery failed' as const,
    },
    {
      attemptNumber: 2,
      attemptedAt: '2026-01-15T09:30:31.120Z',
      responseStatus: 204,
      durationMs: 38,
      errorSummary: null,
    },
  ],
};
