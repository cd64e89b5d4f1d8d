import { isCurrencyCode, toJsonNumber } from '@reseller/money';
import { presentRequiredMoment } from '@reseller/presenters';
import { z } from 'zod';
import { recordChange } from '../record-change';
import { rate } from './fields';
import { callOf, defineOpsRoute, type OpsRoute, type RouteDeps } from './ops-route';

const currency = z
  .string()
  .refine((code) => isCurrencyCode(code) && code !== 'SAR', 'must be an ISO 4217 code other than SAR');

/** Setting display rates. */
export function rateRoutes({ clients }: RouteDeps): OpsRoute[] {
  return [
    defineOpsRoute({
      method: 'PUT',
      path: '/ops/v1/rates/{currency}',
      params: z.object({ currency }),
      body: z.strictObject({ rate }),
      async handle(input) {
        const call = callOf(input);
        const request = { currency: input.params.currency, rate: input.body.rate };
        await recordChange(
          clients,
          { action: 'rate.set', subject: request.currency, details: request },
          call,
        );
        const set = await clients.rates.setRate(request, call);
        return {
          currency: set.currency,
          rate: toJsonNumber(set.rate),
          updatedAt: presentRequiredMoment(set.updatedAt, 'updated_at'),
        };
      },
    }),
  ];
}
