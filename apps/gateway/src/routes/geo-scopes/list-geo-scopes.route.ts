import { z } from 'zod';
import { presentGeoScope } from '../../presenters/geo-scope.presenter';
import { geoScope } from '../../schemas/orders';
import { defineRoute } from '../route';

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
