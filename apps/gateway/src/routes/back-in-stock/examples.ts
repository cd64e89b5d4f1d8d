/** A registration that waits. */
export const exampleRegistration = {
  id: '019a2f60-4c2d-7e55-8b1a-3f4e5d6c7b8f',
  variantId: '019a2f10-1c2d-7e55-8b1a-3f4e5d6c7b80',
  sku: 'ROSE-50',
  customerRef: 'customer-4711',
  status: 'Active' as const,
  createdAt: '2026-01-15T09:30:00.000Z',
  notifiedAt: null,
};
