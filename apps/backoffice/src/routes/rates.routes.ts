import { isCurrencyCode, toJsonNumber } from '@reseller/money';
import { presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { rate } from './fields';
import { defineRoute, type OpsRoute } from './route';

const currency = z
  .string()
  .refine((code) => isCurrencyCode(code) && code !== 'SAR', 'must be an ISO 4217 code other than SAR');

const setRate = defineRoute({
  method: 'PUT',
  path: '/ops/v1/rates/{currency}',
  role: 'finance',
  summary: 'Set a display rate: display units for one SAR',
  params: z.object({ currency }),
  body: z.strictObject({ rate }),
  examples: { params: { currency: 'USD' }, body: { rate: 0.266667 } },
  audit: ({ params, body }) => ({
    action: 'rate.set',
    subject: params.currency,
    details: { currency: params.currency, rate: body.rate },
  }),
  async handle({ params, body, call, clients }) {
    const set = await clients.rates.setRate({ currency: params.currency, rate: body.rate }, call);
    return {
      currency: set.currency,
      rate: toJsonNumber(set.rate),
      updatedAt: presentRequiredMoment(set.updatedAt, 'updated_at'),
    };
  },
});

/** Setting display rates. */
export const rateRoutes: readonly OpsRoute[] = [setRate];
