import { BackInStockStatus, type BackInStockRegistration } from '@reseller/contracts';
import { present, presentEnum, presentMoment, presentRequiredMoment } from '@reseller/presenters';
import type { z } from 'zod';
import type { BACK_IN_STOCK_STATUSES, backInStockRegistration } from '../schemas/back-in-stock';

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
