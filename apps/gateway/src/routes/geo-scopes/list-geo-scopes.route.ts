import type { GeoScope } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { GEO_SCOPE_PRODUCT_NAMES, presentEnum } from '@reseller/presenters';
import { z } from 'zod';
import { money } from '../../fields/response-fields';
import { MAY_GROW } from '../../openapi/may-grow';
import { defineRoute } from '../route';

const geoScope = z
  .strictObject({
    globalId: z.string(),
    name: z.string(),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.' }),
    currency: z.string(),
    products: z.array(z.enum(Object.values(GEO_SCOPE_PRODUCT_NAMES)).meta(MAY_GROW)),
    topup: z
      .strictObject({ minAmount: money('The least amount.'), maxAmount: money('The largest amount.') })
      .nullable()
      .meta({ description: 'Null where no top-up is sold.' }),
  })
  .meta({ id: 'GeoScope' });

/** GET /api/v1/geo-scopes */
export const listGeoScopes = defineRoute({
  method: 'GET',
  path: '/api/v1/geo-scopes',
  tag: 'Reference data',
  summary: 'List where products can be sold',
  description: 'The geoScopeGlobalId values that orders take, with the limits of a top-up.',
  response: z.array(geoScope),
  errors: [],
  examples: {
    response: [
      {
        globalId: 'GEO-SA',
        name: 'Saudi Arabia',
        country: 'SA',
        currency: 'SAR',
        products: ['Topup', 'Esim'],
        topup: { minAmount: 5, maxAmount: 500 },
      },
    ],
  },
  async handle({ call, clients }) {
    const { geoScopes } = await clients.orders.listGeoScopes({}, call);
    return geoScopes.map(presentGeoScope);
  },
});

function presentGeoScope(scope: GeoScope): z.input<typeof geoScope> {
  const { globalId, name, country, currency, products, topup } = scope;
  return {
    globalId,
    name,
    country,
    currency,
    products: products.map((product) => presentEnum(GEO_SCOPE_PRODUCT_NAMES, product)),
    topup: topup
      ? { minAmount: toJsonNumber(topup.minAmount), maxAmount: toJsonNumber(topup.maxAmount) }
      : null,
  };
}
