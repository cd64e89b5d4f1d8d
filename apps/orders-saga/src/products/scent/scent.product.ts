import { OrderStatus, ProductType, type CreateScentOrderRequest } from '@reseller/contracts';
import type { PlaceableProduct } from '../product';
import { SCENT_DECISIONS } from './domain/scent-decisions';
import { SCENT_MOVES, SCENT_UNDERWAY } from './domain/scent-moves';
import { allowedScentFunds, missedRefund } from './domain/scent-records';
import { cancelOpenGroups } from './fulfillment/move-group';
import { toGroupStatus, toScentOrder } from './scent-order.mapper';
import { SCENT_PLAN } from './scent-order.plan';
import { SCENT_ORDERS } from './scent-order.table';

/** Goods of the scent shop from a cart, paid at once and fulfilled group by group (spec §7). */
export const scent: PlaceableProduct<CreateScentOrderRequest> = {
  name: 'Scent',
  idPrefix: 'SC',
  type: ProductType.SCENT,
  table: SCENT_ORDERS,
  moves: SCENT_MOVES,
  underway: SCENT_UNDERWAY,
  plan: SCENT_PLAN,
  decisions: SCENT_DECISIONS,
  allowedFunds: allowedScentFunds,
  missedRefund,

  // What it costs is known once the shop has priced the cart, so the order begins without an amount (spec §7.2).
  async admit() {
    return { geoScopeGlobalId: null, amount: '0.00', currency: 'SAR', details: {}, vendorName: null };
  },

  // A paid scent order is undone group by group (spec §7.3).
  cancelOrder: (deps, order, call) => cancelOpenGroups(deps, order.id, call),

  async toMessage({ scents }, order) {
    return { product: { $case: 'scent', value: toScentOrder(order, await scents.find(order.id)) } };
  },

  async partChanges({ scents }, order) {
    const changes = await scents.listGroupChanges(order.id);
    return changes.map(({ groupId, status, occurredAt }) => ({
      occurredAt,
      status: OrderStatus.UNSPECIFIED,
      fulfillmentGroupId: groupId,
      groupStatus: toGroupStatus(status),
    }));
  },

  // With its groups, once it is priced.
  async toTimeline({ scents }, order) {
    const details = await scents.find(order.id);
    return details ? { scentOrder: toScentOrder(order, details) } : {};
  },
};
