import { z } from 'zod';
import { id, moment } from './envelope';

/** Where a registration stands. */
export const BACK_IN_STOCK_STATUSES = ['Active', 'Notified', 'Cancelled'] as const;

/** A wish to be told when a variant is back in stock. */
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
