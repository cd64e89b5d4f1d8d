import { z } from 'zod';
import { searchText } from './fields';
import { presentOrderRow } from './order-timeline';
import { readPartnerNames } from './partner-names';
import { presentPartner } from './partners.routes';
import { searchResponse } from './responses/search';
import { defineRoute, type OpsRoute } from './route';
import { presentDeliveryRow } from './webhook-deliveries.routes';

/** Of each kind. */
const MOST = 20;

const search = defineRoute({
  method: 'GET',
  path: '/ops/v1/search',
  role: 'viewer',
  summary:
    'The newest partners, orders and webhook deliveries that q names: ids and references whole, partners also by a part of the name',
  query: z.object({ q: searchText }),
  response: searchResponse,
  async handle({ query: { q }, call, clients }) {
    const request = { text: q, limit: MOST };
    const [{ partners }, { orders }, { deliveries }] = await Promise.all([
      clients.partners.searchPartners(request, call),
      clients.orders.searchOrders(request, call),
      clients.deliveries.searchWebhookDeliveries(request, call),
    ]);
    const names = await readPartnerNames(clients, orders, call);
    return {
      partners: partners.map(presentPartner),
      orders: orders.map((order) => presentOrderRow(order, names)),
      deliveries: deliveries.map(presentDeliveryRow),
    };
  },
});

/** One field for all that an operator may have in hand. */
export const searchRoutes: readonly OpsRoute[] = [search];
