import { BackInStockStatus, type BackInStockRegistration } from '@reseller/contracts';
import { present, presentEnum, presentMoment, presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { id, moment } from '../../fields/response-fields';

/** Where a registration stands. */
export const BACK_IN_STOCK_STATUSES = ['Active', 'Notified', 'Cancelled'] as const;

/** A registration for a variant to be back in stock. */
export const backInStockRegistration = z
  .strictObject({
    id: id('The id for DELETE /api/v1/scent/cart/back-in-stock/{id}.'),
    variantId: id('What is waited for.'),
    sku: z.string(),
    customerRef: z.string().nullable().meta({ description: 'For whom, if for one of your customers.' }),
    status: z.enum(BACK_IN_STOCK_STATUSES),
    createdAt: moment('When it was registered.'),
    notifiedAt: moment('When the variant came back; null until then.').nullable(),
  })
  .meta({ id: 'BackInStockRegistration' });

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

const STATUS_NAMES: Partial<Record<BackInStockStatus, (typeof BACK_IN_STOCK_STATUSES)[number]>> = {
  [BackInStockStatus.ACTIVE]: 'Active',
  [BackInStockStatus.NOTIFIED]: 'Notified',
  [BackInStockStatus.CANCELLED]: 'Cancelled',
};

/** A back-in-stock registration as partners read it. */
export function presentRegistration(
  message: BackInStockRegistration | undefined,
): z.input<typeof backInStockRegistration> {
  const { id, variantId, sku, customerRef, status, createdAt, notifiedAt } = present(message, 'registration');
  return {
    id,
    variantId,
    sku,
    customerRef: customerRef ?? null,
    status: presentEnum(STATUS_NAMES, status),
    createdAt: presentRequiredMoment(createdAt, 'createdAt'),
    notifiedAt: presentMoment(notifiedAt),
  };
}
