import { byOperators, expect, lists, operatorRpc, partnerService, reads, rpc, service } from '../prelude';
import { UNREACHABLE } from '../prelude';
import type { Message, World } from '../prelude';
import { buyer, deliveredScent, financeRefuses, handOver, paidScent, PRICES } from './arrange';
import { requestedReturn, requestReturn, returnOf, shippedScent, shop, withGroup } from './arrange';

/** What became of an order and its groups. */
const statusOf = (order: Message): unknown[] => [
  order.status,
  order.completed_at,
  ...(order.fulfillment_groups as Message[]),
];

/** A pending request of another partner. */
const aReturn = async (world: World): Promise<Message> => requestReturn(await deliveredScent(world));

const decide = (
  world: World,
  what: 'Approve' | 'Decline',
  { return_request_id }: Message,
): Promise<Message> => world.get(`${what}ReturnRequest`, { return_request_id, reason: 'worn' });

/** What operators do with groups and returns. */
export const fulfillment = service('FulfillmentOperationsService', {
  GetOrderOfFulfillmentGroup: rpc(byOperators(paidScent), {
    'returns the order of a group': async (_, { order, call }) => expect(await call()).toEqual({ order }),
  }),
  GetReturnRequest: reads(async (world) => [world, await aReturn(world)]),
  ListOpenFulfillmentGroups: rpc(undefined, {
    'lists the groups of paid orders until they are final, by status and environment': async (use) => {
      const { order, first, second } = await paidScent(use);
      await withGroup(use, 'Ship', first);
      const of = async (request: Message) =>
        (await use.list(use.rpc, { environment: order.environment, ...request })).filter(
          ({ order_global_id }) => order_global_id === order.order_global_id,
        );
      const open = await of({});
      expect(
        [
          await of({ status: 'FULFILLMENT_GROUP_STATUS_PENDING' }),
          await of({ status: 'FULFILLMENT_GROUP_STATUS_SHIPPED' }),
        ].flat(),
      ).toEqual(expect.arrayContaining(open));
      await handOver(use, second);
      return [open, await of({})];
    },
  }),
  ShipFulfillmentGroup: operatorRpc(byOperators(paidScent), {
    'moves one group from pending to shipped': async (use, { first }) =>
      statusOf(await withGroup(use, 'Ship', first)),
  }),
  DeliverFulfillmentGroup: operatorRpc(byOperators(shippedScent), {
    'the first delivery makes the order partially delivered, the last completes it': async (use, paid) => [
      statusOf(await withGroup(use, 'Deliver', paid.first)),
      statusOf(await handOver(use, paid.second)),
    ],
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a group that was not shipped': (use, { second }) =>
      withGroup(use, 'Deliver', second),
  }),
  CancelFulfillmentGroup: operatorRpc(byOperators(paidScent), {
    'gives the group’s money and units back; the last one cancels the order': async (use) => {
      const partner = buyer(use, PRICES.Scent);
      const { first, second } = await paidScent(use, partner);
      const afterFirst = statusOf(await withGroup(use, 'Cancel', first));
      expect(shop.restocked.get(first.id)).toMatchObject([{ quantity: 2 }]);
      await withGroup(use, 'Ship', second);
      const afterSecond = statusOf(await withGroup(use, 'Cancel', second));
      // All of it is back: the same balance buys the order again.
      await paidScent(use, partner);
      return [afterFirst, afterSecond];
    },
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a delivered group': async (use) =>
      withGroup(use, 'Cancel', (await deliveredScent(use)).first),
    ...financeRefuses,
  }),
  ListAllReturnRequests: lists(async (world) => {
    const pending = await aReturn(world);
    return [world, [pending, await decide(world, 'Decline', await aReturn(world))]];
  }),
  ApproveReturnRequest: operatorRpc(byOperators(requestedReturn), {
    'refunds the units, and the order shows what came back': async (use, { partner, order, first, made }) => {
      const approved = await decide(use, 'Approve', made);
      const { lines } = await partner.get('GetScentOrder', { order_id: order.order_id });
      expect(shop.restocked.has(first.id)).toBe(false);
      return [made, approved, (lines as Message[]).map(({ returned_quantity }) => returned_quantity)];
    },
    'CONFLICT_RETURN_REQUEST_DECIDED: one that was declined': ['DeclineReturnRequest', {}],
    ...financeRefuses,
  }),
  DeclineReturnRequest: operatorRpc(byOperators(requestedReturn), {
    'says why, and frees the units it claimed': async (use, given) => {
      const declined = await decide(use, 'Decline', given.made);
      await requestReturn(given, 2);
      return [given.made, declined];
    },
  }),
});

/** So many units of the line that is to be returned. */
const units =
  (quantity: number) =>
  ({ lines }: Message): Message => ({ lines: (lines as Message[]).map((line) => ({ ...line, quantity })) });

/** A request for the return of one unit of a delivered group. */
const ofDelivered = async (world: World) => {
  const paid = await deliveredScent(world);
  return { ...paid, request: returnOf(paid, paid.first) };
};

/** Returns as partners request them. */
export const returnRequests = partnerService('ReturnRequestService', {
  CreateReturnRequest: rpc(ofDelivered, {
    'requests the return of units of a delivered group; two calls are two requests': async (_, given) => [
      given.request,
      await given.call(),
      await given.call(),
    ],
    'NOT_FOUND_SCENT_ORDER: a group of another order': async (use, { call }) =>
      call({ fulfillment_group_id: (await deliveredScent(use)).first.id }),
    'NOT_FOUND_SCENT_ORDER: a line of another group': async (_, paid) =>
      paid.call(returnOf(paid, { ...paid.first, line: paid.second.line })),
    'BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED: a group that is not delivered': (_, paid) =>
      paid.call(returnOf(paid, paid.second)),
    'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: more units than were delivered': [units(3)],
    'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: more than another pending request leaves': [
      units(2),
      units(1),
    ],
    'BUSINESS_RETURN_REQUEST_WINDOW_CLOSED: The window is open for 14 days after the delivery.': UNREACHABLE,
  }),
  ListReturnRequests: lists(async (world) => {
    const paid = await deliveredScent(world);
    const [older, newer] = [await requestReturn(paid), await requestReturn(paid)];
    const request = { scent_order_id: paid.order.order_id };
    return [paid.partner, [await decide(world, 'Decline', older), newer], request];
  }),
});
