import { Environment, OrderStatus, ProductType, type OrderSnapshot } from '@reseller/contracts';

/** When everything in the examples happened. */
export const EXAMPLE_AT = new Date('2026-01-15T10:00:00Z');

/** An id of the examples. */
export const exampleId = (last: number): string =>
  `019bc0de-0000-7000-8000-${String(last).padStart(12, '0')}`;

/** The scent order that most examples are about. */
export const exampleOrder = (partnerId: string, changes: Partial<OrderSnapshot> = {}): OrderSnapshot => ({
  orderId: exampleId(1),
  orderGlobalId: 'SC-EXAMPLE',
  partnerId,
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
