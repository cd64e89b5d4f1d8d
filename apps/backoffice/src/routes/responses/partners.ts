import { z } from 'zod';
import { count, moment, pageOfItems } from './fields';

/** A partner; the commission rate is a fraction. */
export const partnerResponse = z
  .strictObject({
    id: z.string(),
    globalId: z.string(),
    name: z.string(),
    parentPartnerId: z.string().nullable(),
    path: z.array(z.string()).meta({ description: 'The ids from the root of its tree to itself.' }),
    isActive: z.boolean(),
    isFrozen: z.boolean(),
    displayCurrency: z.string().nullable(),
    isVatRegistered: z.boolean(),
    taxRegistrationNumber: z.string().nullable(),
    commissionRate: z.number().nullable(),
    marketingEnabled: z.boolean(),
    billingEmail: z.string().nullable(),
    language: z.enum(['en', 'ar']).meta({ description: 'Of its statements on paper.' }),
    version: count,
    createdAt: moment,
  })
  .meta({ id: 'Partner' });

/** A page of partners. */
export const partnersPage = pageOfItems(partnerResponse);
