/** The terms of a code as they are sent. */
export const exampleDiscountTerms = {
  discountType: 'Percent' as const,
  value: 10,
  validFrom: '2026-06-01T00:00:00.000Z',
  validTo: '2026-08-31T23:59:59.999Z',
  isActive: true,
  totalUsageCap: 500,
  perCustomerCap: 1,
  productScope: 'All' as const,
  scopedVariantIds: null,
  minOrderValue: 100,
};

/** A code that was redeemed a dozen times. */
export const exampleDiscountCode = {
  id: '019a2f50-3c2d-7e55-8b1a-3f4e5d6c7b8e',
  partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10',
  code: 'SUMMER-10',
  ...exampleDiscountTerms,
  usageCount: 12,
  createdAt: '2026-05-20T08:00:00.000Z',
  lastModifiedAt: null,
};
