import { expect, operatorRpc, partnerService, reads, rpc, service, UNREACHABLE } from '../prelude';
import type { Case, ErrorCode, Message, Party, Sentences, World } from '../prelude';
import { buyer, deliveredScent, handOver, paidScent, requestReturn } from './arrange';
import { returnOf, shop, whileAway, withGroup } from './arrange';

/** What became of an order and its groups. */
const statusOf = (order: Message): unknown[] => [
  order.status,
  order.completed_at,
  ...(order.fulfillment_groups as Message[]),
];

/** The first group of a paid order. */
const ofGroup = async (world: World) => {
  const paid = await paidScent(world);
  return [world, { fulfillment_group_id: paid.first.id }, paid] as const;
};

/** A pending request for the return of both units of a delivered group. */
const ofReturn = async (world: World) => {
  const paid = await deliveredScent(world);
  const made = await requestReturn(paid, 2);
  const { return_request_id } = made;
  return [world, { return_request_id, reason: 'worn' }, { paid, made }] as const;
};

const decide = (
  world: World,
  what: 'Approve' | 'Decline',
  { return_request_id }: Message,
): Promise<Message> => world.get(`${what}ReturnRequest`, { return_request_id, reason: 'worn' });

/** What finance refuses an operator's decision with is returned as it is. */
const financeRefuses = (
  arrange: (world: World) => Promise<readonly [Party, () => Promise<Message>]>,
): Sentences => {
  const whenItRefuses =
    (code: ErrorCode): Case =>
    async (world) => {
      const [partner, carryOut] = await arrange(world);
      return whileAway(world, partner, 'refundUnits', carryOut, code);
    };
  return {
    'BUSINESS_INSUFFICIENT_BALANCE: what finance refuses so': whenItRefuses('BUSINESS_INSUFFICIENT_BALANCE'),
    'SERVICE_UNAVAILABLE: finance away': whenItRefuses('SERVICE_UNAVAILABLE'),
  };
};

/** What operators do with groups and returns. */
export const fulfillment = service('FulfillmentOperationsService', {
  GetOrderOfFulfillmentGroup: rpc(ofGroup, {
    'returns the order of a group': async (_, { order, call }) => expect(await call()).toEqual({ order }),
  }),
  GetReturnRequest: reads(
    async (world) => [world, await requestReturn(await deliveredScent(world))],
    ({ return_request_id }) => ({ return_request_id }),
  ),
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
  ShipFulfillmentGroup: operatorRpc(ofGroup, {
    'moves one group from pending to shipped': async (use, { first }) =>
      statusOf(await withGroup(use, 'Ship', first)),
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a repetition': [{}, {}],
  }),
  DeliverFulfillmentGroup: operatorRpc(ofGroup, {
    'the first delivery makes the order partially delivered, the last completes it': async (
      use,
      { first, second },
    ) => [statusOf(await handOver(use, first)), statusOf(await handOver(use, second))],
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a group that was not shipped': {},
  }),
  CancelFulfillmentGroup: operatorRpc(ofGroup, {
    'gives the group’s money and units back; the last one cancels the order': async (use) => {
      const partner = buyer(use, '270.00');
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
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a repetition': [{}, {}],
    ...financeRefuses(async (world) => {
      const { partner, first } = await paidScent(world);
      return [partner, () => withGroup(world, 'Cancel', first)];
    }),
  }),
  ListAllReturnRequests: rpc(undefined, {
    'lists every partner’s, newest first, page by page': async (use) => {
      const older = await requestReturn(await deliveredScent(use));
      const newer = await requestReturn(await deliveredScent(use));
      expect((await use.pages(use.rpc)).slice(0, 2)).toEqual([newer, older]);
      const oldestFirst = await use.pages(use.rpc, { oldest_first: true });
      expect(oldestFirst.slice(-2)).toEqual([older, newer]);
    },
    'keeps to a status': async (use) => {
      const declined = await decide(use, 'Decline', await requestReturn(await deliveredScent(use)));
      const { status } = declined;
      const listed = await use.list(use.rpc, { status });
      expect(listed[0]).toEqual(declined);
      expect([...new Set(listed.map((one) => one.status))]).toEqual([status]);
    },
  }),
  ApproveReturnRequest: operatorRpc(ofReturn, {
    'refunds the units, and the order shows what came back': async (use, { paid, made }) => {
      const approved = await decide(use, 'Approve', made);
      const { lines } = await paid.partner.get('GetScentOrder', { order_id: paid.order.order_id });
      expect(shop.restocked.has(paid.first.id)).toBe(false);
      return [made, approved, (lines as Message[]).map(({ returned_quantity }) => returned_quantity)];
    },
    'CONFLICT_RETURN_REQUEST_DECIDED: one that was declined': ['DeclineReturnRequest', {}],
    'CONFLICT_RETURN_REQUEST_DECIDED: a repetition': [{}, {}],
    ...financeRefuses(async (world) => {
      const paid = await deliveredScent(world);
      const request = await requestReturn(paid);
      return [paid.partner, () => decide(world, 'Approve', request)];
    }),
  }),
  DeclineReturnRequest: operatorRpc(ofReturn, {
    'says why, and frees the units it claimed': async (use, { paid, made }) => {
      const declined = await decide(use, 'Decline', made);
      await requestReturn(paid, 2);
      return [made, declined];
    },
    'CONFLICT_RETURN_REQUEST_DECIDED: a repetition': [{}, {}],
  }),
});

/** So many units of the line that is to be returned. */
const units =
  (quantity: number) =>
  ({ lines }: Message): Message => ({ lines: (lines as Message[]).map((line) => ({ ...line, quantity })) });

/** Returns as partners request them. */
export const returnRequests = partnerService('ReturnRequestService', {
  CreateReturnRequest: rpc(
    async (world) => {
      const paid = await deliveredScent(world);
      return [paid.partner, returnOf(paid, paid.first), { paid }];
    },
    {
      'requests the return of units of a delivered group; two calls are two requests': async (_, given) => [
        given.request,
        await given.call(),
        await given.call(),
      ],
      'NOT_FOUND_SCENT_ORDER: a group of another order': async (use, { call }) =>
        call({ fulfillment_group_id: (await deliveredScent(use)).first.id }),
      'NOT_FOUND_SCENT_ORDER: a line of another group': async (_, { paid, call }) =>
        call(returnOf(paid, { ...paid.first, line: paid.second.line })),
      'BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED: a group that is not delivered': async (
        _,
        { paid, call },
      ) => call(returnOf(paid, paid.second)),
      'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: more units than were delivered': [units(3)],
      'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: more than another pending request leaves': [
        units(2),
        units(1),
      ],
      'BUSINESS_RETURN_REQUEST_WINDOW_CLOSED: The window is open for 14 days after the delivery.':
        UNREACHABLE,
    },
  ),
  ListReturnRequests: rpc(
    async (world) => {
      const { partner, order } = await paidScent(world);
      return [partner, { scent_order_id: order.order_id }];
    },
    {
      'lists newest first, every status, page by page': async (use) => {
        const paid = await deliveredScent(use);
        const [older, newer] = [await requestReturn(paid), await requestReturn(paid)];
        const declined = await decide(use, 'Decline', older);
        const request = { scent_order_id: paid.order.order_id };
        expect(await paid.partner.pages(use.rpc, request)).toEqual([newer, declined]);
      },
    },
  ),
});
