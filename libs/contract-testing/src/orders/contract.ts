import { events, expect, waiting } from '../prelude';
import type { Contract, Message, World } from '../prelude';
import { approvals } from '../common/approval.contract';
import { idempotencyKeys } from '../common/idempotency-key.contract';
import { reconciliation } from '../common/reconciliation.contract';
import { buyer, deliveredScent, paidScent, place, requestReturn, returnOf } from './arrange';
import { shop, wallets, withGroup } from './arrange';
import { fulfillment, returnRequests } from './fulfillment.contract';
import { decide, orderOperations, withPending } from './operations.contract';
import { ORDER_TOPIC } from './order-messages';
import { orders } from './order.contract';
import { erasures } from './erasure.contract';
import { createResults } from './overview.contract';
import { partnerReconciliations } from './partner-reconciliation.contract';
import { sandboxOrders } from './sandbox.contract';
import { scentOrders } from './scent-order.contract';
import { vendorOrderServices } from './vendor-orders.contract';

/** An order's events, once there are so many, under its id and on the one topic; each with what it holds. */
async function eventsOf(world: World, { order_id }: Message, count: number): Promise<Message[]> {
  const seen = await world.eventsOf(String(order_id), count);
  for (const { topic, payload } of seen)
    expect([topic, (payload.order as Message).order_id]).toEqual([ORDER_TOPIC, order_id]);
  return seen.map(({ type, payload }) => ({ [type]: payload }));
}

const DELIVERED = 3;

/** Each change of an order's status is one event, keyed by the order's id. */
const published = events(ORDER_TOPIC, 'reseller.orders.v1', {
  OrderProcessingStarted: {
    'shows an order that the vendor has not decided': async (use) => {
      const { order_id } = await place(buyer(use), 'Topup', 'pending');
      return (await use.eventsUntil(String(order_id), () => true))[0]?.payload;
    },
    'shows a scent order that is paid': async (use) =>
      eventsOf(use, await place(buyer(use), 'Scent', 'completed', { customer_ref: 'c-1' }), 1),
  },
  OrderCompleted: {
    'is the only event of an order that ends within its request': async (use) =>
      eventsOf(use, await place(buyer(use)), 1),
  },
  OrderFailed: {
    'says why': async (use) => eventsOf(use, await place(buyer(use), 'Topup', 'refused'), 1),
  },
  OrderCancelled: {
    'shows an order that an operator ended before it went to any vendor': waiting(async (use) =>
      eventsOf(use, await withPending(use, (pending) => decide(use, 'CancelOrder', pending)), 1),
    ),
    'comes after its groups’ when the last group of a scent order is cancelled': async (use) => {
      const { order } = await paidScent(use);
      await decide(use, 'CancelOrder', order);
      return eventsOf(use, order, DELIVERED + 1);
    },
  },
  OrderReversed: {
    'comes after the completion that it undoes': async (use) => {
      const order = await place(buyer(use));
      await decide(use, 'ReverseOrder', order);
      return eventsOf(use, order, 2);
    },
  },
  OrderReturned: {
    'shows what was refunded, after the approval of the request': async (use) => {
      const paid = await deliveredScent(use);
      const { return_request_id } = await requestReturn(paid);
      await use.call('ApproveReturnRequest', { return_request_id });
      const seen = await eventsOf(use, paid.order, DELIVERED + 3);
      const [requested, ...decided] = seen.slice(DELIVERED);
      const nameOf = (event: Message): string => Object.keys(event)[0] ?? '';
      return [requested, ...decided.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))];
    },
  },
  FulfillmentGroupChanged: {
    'shows each move of a group, and how many are delivered': async (use) =>
      eventsOf(use, (await deliveredScent(use)).order, DELIVERED),
    'of a group that was cancelled, too': async (use) => {
      const { order, first } = await paidScent(use);
      await withGroup(use, 'Cancel', first);
      return eventsOf(use, order, 2);
    },
  },
  ReturnRequestChanged: {
    'holds the request as it was made, and as it was declined': async (use) => {
      const paid = await deliveredScent(use);
      const made = await requestReturn(paid);
      const { return_request_id } = made;
      const declined = await use.get('DeclineReturnRequest', { return_request_id, reason: 'worn' });
      const seen = (await eventsOf(use, paid.order, DELIVERED + 2)).slice(DELIVERED);
      const requests = [{ return_request: made }, { return_request: declined }];
      expect(seen.flatMap((event) => Object.values(event))).toMatchObject(requests);
      return seen;
    },
  },
});

/** Everything other services may rely on in orders-saga. */
export const ordersContract: Contract = {
  app: 'orders-saga',
  dependencies: () => ({ finance: wallets, 'scent-commerce': shop }),
  services: [
    ...vendorOrderServices,
    scentOrders,
    ...orders,
    orderOperations,
    createResults,
    erasures,
    approvals(undefined),
    fulfillment,
    returnRequests,
    sandboxOrders,
    partnerReconciliations,
    idempotencyKeys(async (world) => {
      const paid = await deliveredScent(world);
      return ['CreateReturnRequest', paid.partner, returnOf(paid, paid.first)];
    }),
    reconciliation,
  ],
  publishes: published,
  consumes: [],
};
