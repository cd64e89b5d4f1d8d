import type { DisplayRateInForce } from '@reseller/contracts';
import { isCurrencyCode, toJsonNumber } from '@reseller/money';
import { presentPage, presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { pageOf, pageQuery, rate } from './fields';
import { rateResponse, ratesPage } from './responses/rates';
import { defineRoute, type OpsRoute } from './route';

const currency = z
  .string()
  .refine((code) => isCurrencyCode(code) && code !== 'SAR', 'must be an ISO 4217 code other than SAR')
  .meta({ description: 'An ISO 4217 code other than SAR.', pattern: '^[A-Z]{3}$' });

const setRate = defineRoute({
  method: 'PUT',
  path: '/ops/v1/rates/{currency}',
  role: 'finance',
  summary: 'Set a display rate: display units for one SAR',
  params: z.object({ currency }),
  body: z.strictObject({ rate }),
  response: rateResponse,
  examples: { params: { currency: 'USD' }, body: { rate: 0.266667 } },
  audit: ({ params, body }) => ({
    action: 'rate.set',
    subject: params.currency,
    details: { currency: params.currency, rate: body.rate },
  }),
  async handle({ params, body, call, clients }) {
    const set = await clients.rates.setRate({ currency: params.currency, rate: body.rate }, call);
    return presentRate(set);
  },
});

const listRates = defineRoute({
  method: 'GET',
  path: '/ops/v1/rates',
  role: 'viewer',
  summary: 'A page of the display rates in force, by currency',
  query: z.object(pageQuery),
  response: ratesPage,
  async handle({ query, call, clients }) {
    const { rates, page } = await clients.rates.listRates({ page: pageOf(query) }, call);
    return presentPage(rates, page, presentRate);
  },
});

const presentRate = ({ currency: code, rate: value, updatedAt }: DisplayRateInForce) => ({
  currency: code,
  rate: toJsonNumber(value),
  updatedAt: presentRequiredMoment(updatedAt, 'updated_at'),
});

/** Reading and setting display rates. */
export const rateRoutes: readonly OpsRoute[] = [listRates, setRate];
