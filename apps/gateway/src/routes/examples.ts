// What the examples of the reference have in common.

/** The partner whose order, wallet and cart all examples are about. */
export const EXAMPLE_PARTNER_ID = '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10';

/** A page of one. */
export const examplePagination = { page: 1, pageSize: 20, totalCount: 1, totalPages: 1 };

/** An order that went through at once. */
export const exampleProgress = {
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
