// One order, wallet and partner that all examples of the reference are about.

const PARTNER_ID = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';

/** A page of one. */
export const examplePagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };

/** A top-up of 25.50 SAR that went through. */
export const exampleTopupOrder = {
  orderId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  orderGlobalId: 'ORD-019a2f401c2d7e558b1a3f4e5d6c7b8a',
  sagaId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8b',
  partnerId: PARTNER_ID,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'INV-2026-0042',
  phoneNumber: '+966501234567',
  amount: 25.5,
  currency: 'SAR',
  status: 'Completed' as const,
  statusDetail: { productType: 'Topup' as const, statusCode: 'TOPUP_SUCCESS', description: null },
  vendorOrderId: 'V-7781',
  errorMessage: null,
  failureCode: null,
  submittedAt: '2026-01-15T09:30:00.000Z',
  completedAt: '2026-01-15T09:30:00.412Z',
  currentRetryCount: 0,
  nextPollAt: null,
  displayCurrency: 'USD',
  rate: 0.266667,
  amountDisplay: 6.8,
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
