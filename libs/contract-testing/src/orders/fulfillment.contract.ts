import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import type { Message } from '../contract';
import { operatorRpc, partnerService, rpc, service, UNREACHABLE, type Sentences } from '../notation';
import type { Party } from '../party';
import { byAStranger, inTheOtherEnvironment, repeated, UNKNOWN } from '../variations';
import type { World } from '../world';
import {
  askReturn,
  buyer,
  deliveredScent,
  handOver,
  paidScent,
  returnOf,
  shop,
  whileAway,
  withGroup,
  type Group,
} from './arrange';

const statusOf = (order: Message, { id }: Group): unknown =>
  (order.fulfillment_groups as Message[]).find((one) => one.fulfillment_group_id === id)?.status;

/** The first group of a paid order. */
const ofGroup = async (world: World) =>
  [world, { fulfillment_group_id: (await paidScent(world)).first.id }] as const;

const unknownGroup: Sentences = {
  'NOT_FOUND_FULFILLMENT_GROUP: an unknown group': { fulfillment_group_id: UNKNOWN },
  'NOT_FOUND_FULFILLMENT_GROUP: an id that is none': { fulfillment_group_id: 'one' },
};

/** A pending request for the return of one unit. */
const ofReturn = async (world: World) => {
  const { return_request_id } = await askReturn(await deliveredScent(world));
  return [world, { return_request_id, reason: 'worn' }] as const;
};

const decide = (
  world: World,
  what: 'Approve' | 'Decline',
  { return_request_id }: Message,
): Promise<Message> => world.get(`${what}ReturnRequest`, { return_request_id, reason: 'worn' });

const unknownReturn: Sentences = {
  'NOT_FOUND_RETURN_REQUEST: an unknown one': { return_request_id: UNKNOWN },
};

/** What finance refuses an operator's decision with is answered as it is. */
const financeRefuses = (
  arrange: (world: World) => Promise<readonly [Party, () => Promise<Message>]>,
): Sentences =>
  Object.fromEntries(
    (['BUSINESS_INSUFFICIENT_BALANCE', 'SERVICE_UNAVAILABLE'] satisfies ErrorCode[]).map((code) => [
      `${code}: what finance answers so`,
      async (world: World) => {
        const [partner, carryOut] = await arrange(world);
        return whileAway(world, partner, 'refundUnits', carryOut, code);
      },
    ]),
  );

/** What operators do with groups and returns. */
export const fulfillment = service('FulfillmentOperationsService', {
  GetOrderOfFulfillmentGroup: rpc(ofGroup, {
    'answers the order of a group': async (use) => {
      const { order, first } = await paidScent(use);
      const request = { fulfillment_group_id: first.id };
      expect(await use.get('GetOrderOfFulfillmentGroup', request)).toEqual(order);
    },
    'NOT_FOUND_FULFILLMENT_GROUP: an unknown group': { fulfillment_group_id: UNKNOWN },
  }),
  GetReturnRequest: rpc(ofReturn, {
    'answers any partner’s': async (use) => {
      const request = await askReturn(await deliveredScent(use));
      const { return_request_id } = request;
      expect(await use.get('GetReturnRequest', { return_request_id })).toEqual(request);
    },
    ...unknownReturn,
  }),
  ShipFulfillmentGroup: operatorRpc(ofGroup, {
    'moves one group from pending to shipped': async (use) => {
      const { first, second } = await paidScent(use);
      const order = await withGroup(use, 'Ship', first);
      expect([order.status, statusOf(order, first), statusOf(order, second)]).toEqual([
        'ORDER_STATUS_PROCESSING',
        'FULFILLMENT_GROUP_STATUS_SHIPPED',
        'FULFILLMENT_GROUP_STATUS_PENDING',
      ]);
    },
    ...unknownGroup,
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a repetition': repeated(),
  }),
  DeliverFulfillmentGroup: operatorRpc(ofGroup, {
    'the first delivery makes the order partially delivered, the last completes it': async (use) => {
      const { first, second } = await paidScent(use);
      const order = await handOver(use, first);
      expect(order).toMatchObject({ status: 'ORDER_STATUS_PARTIALLY_DELIVERED', completed_at: null });
      expect(order.fulfillment_groups).toContainEqual({
        fulfillment_group_id: first.id,
        status: 'FULFILLMENT_GROUP_STATUS_DELIVERED',
        delivered_at: expect.any(String),
      });
      expect(await handOver(use, second)).toMatchObject({
        status: 'ORDER_STATUS_COMPLETED',
        completed_at: expect.any(String),
      });
    },
    ...unknownGroup,
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a group that was not shipped': {},
  }),
  CancelFulfillmentGroup: operatorRpc(ofGroup, {
    'gives the group’s money and units back; the last one cancels the order': async (use) => {
      const partner = buyer(use, '270.00');
      const { first, second } = await paidScent(use, partner);
      const order = await withGroup(use, 'Cancel', first);
      expect(statusOf(order, first)).toBe('FULFILLMENT_GROUP_STATUS_CANCELLED');
      expect(order).toMatchObject({ status: 'ORDER_STATUS_PROCESSING' });
      expect(shop.restocked.get(first.id)).toMatchObject([{ quantity: 2 }]);
      await withGroup(use, 'Ship', second);
      expect(await withGroup(use, 'Cancel', second)).toMatchObject({ status: 'ORDER_STATUS_CANCELLED' });
      // All of it is back: the same balance buys the order again.
      await paidScent(use, partner);
    },
    ...unknownGroup,
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a delivered group': async (use) =>
      withGroup(use, 'Cancel', (await deliveredScent(use)).first),
    'CONFLICT_FULFILLMENT_GROUP_STATUS: a repetition': repeated(),
    ...financeRefuses(async (world) => {
      const { partner, first } = await paidScent(world);
      return [partner, () => withGroup(world, 'Cancel', first)];
    }),
  }),
  ListAllReturnRequests: rpc(undefined, {
    'lists every partner’s, newest first, page by page': async (use) => {
      const older = await askReturn(await deliveredScent(use));
      const newer = await askReturn(await deliveredScent(use));
      expect((await use.pages('ListAllReturnRequests')).slice(0, 2)).toEqual([newer, older]);
    },
    'keeps to a status': async (use) => {
      const declined = await decide(use, 'Decline', await askReturn(await deliveredScent(use)));
      const status = 'RETURN_REQUEST_STATUS_DECLINED';
      const listed = await use.list('ListAllReturnRequests', { status });
      expect(listed[0]).toEqual(declined);
      expect([...new Set(listed.map((one) => one.status))]).toEqual([status]);
    },
  }),
  ApproveReturnRequest: operatorRpc(ofReturn, {
    'refunds the units, and the order shows what came back': async (use) => {
      const paid = await deliveredScent(use);
      const request = await askReturn(paid, 2);
      expect(await decide(use, 'Approve', request)).toEqual({
        ...request,
        status: 'RETURN_REQUEST_STATUS_APPROVED',
        decided_at: expect.any(String),
        decided_by_user_id: expect.any(String),
      });
      const { order_id } = paid.order;
      expect(await paid.partner.get('GetScentOrder', { order_id })).toMatchObject({
        lines: [{ returned_quantity: 2 }, { returned_quantity: 0 }],
      });
      expect(shop.restocked.has(paid.first.id)).toBe(false);
    },
    ...unknownReturn,
    'CONFLICT_RETURN_REQUEST_DECIDED: one that was declined': async (use) => {
      const { request, call } = await use.given();
      await decide(use, 'Decline', request);
      return call();
    },
    'CONFLICT_RETURN_REQUEST_DECIDED: a repetition': repeated(),
    ...financeRefuses(async (world) => {
      const paid = await deliveredScent(world);
      const request = await askReturn(paid);
      return [paid.partner, () => decide(world, 'Approve', request)];
    }),
  }),
  DeclineReturnRequest: operatorRpc(ofReturn, {
    'says why, and frees the units it claimed': async (use) => {
      const paid = await deliveredScent(use);
      const request = await askReturn(paid, 2);
      expect(await decide(use, 'Decline', request)).toEqual({
        ...request,
        status: 'RETURN_REQUEST_STATUS_DECLINED',
        decided_at: expect.any(String),
        decided_by_user_id: expect.any(String),
        decline_reason: 'worn',
      });
      await askReturn(paid, 2);
    },
    'VALIDATION_FAILED: no reason': { reason: '' },
    'VALIDATION_FAILED: a reason of 501 characters': { reason: 'x'.repeat(501) },
    ...unknownReturn,
    'CONFLICT_RETURN_REQUEST_DECIDED: a repetition': repeated(),
  }),
});

/** Returns as partners ask for them. */
export const returnRequests = partnerService('ReturnRequestService', {
  CreateReturnRequest: rpc(
    async (world) => {
      const paid = await deliveredScent(world);
      return [paid.partner, returnOf(paid, paid.first)];
    },
    {
      'asks for units of a delivered group; two calls are two requests': async (use) => {
        const paid = await deliveredScent(use);
        const { partner, order, first } = paid;
        const request = await askReturn(paid);
        expect(request).toEqual({
          ...partner.ref,
          ...returnOf(paid, first),
          return_request_id: expect.any(String),
          order_global_id: order.order_global_id,
          status: 'RETURN_REQUEST_STATUS_PENDING',
          requested_at: expect.any(String),
          decided_at: null,
          lines: (returnOf(paid, first).lines as Message[]).map((line) => ({
            ...line,
            line_id: expect.any(String),
          })),
        });
        expect((await askReturn(paid)).return_request_id).not.toBe(request.return_request_id);
      },
      'VALIDATION_FAILED: no units': async (use) => askReturn(await deliveredScent(use), 0),
      'NOT_FOUND_SCENT_ORDER: another partner’s order': byAStranger,
      'NOT_FOUND_SCENT_ORDER: a group of another order': async (use) =>
        (await use.given()).call({ fulfillment_group_id: (await deliveredScent(use)).first.id }),
      'NOT_FOUND_SCENT_ORDER: a line of another group': async (use) => {
        const paid = await deliveredScent(use);
        const mixed = { id: paid.first.id, line: paid.second.line };
        return paid.partner.call('CreateReturnRequest', returnOf(paid, mixed));
      },
      'BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED: a group that is not delivered': async (use) => {
        const paid = await paidScent(use);
        return paid.partner.call('CreateReturnRequest', returnOf(paid, paid.second));
      },
      'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: more units than were delivered': async (use) =>
        askReturn(await deliveredScent(use), 3),
      'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: more than another pending request leaves': async (use) => {
        const paid = await deliveredScent(use);
        await askReturn(paid, 2);
        return askReturn(paid, 1);
      },
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
        const [older, newer] = [await askReturn(paid), await askReturn(paid)];
        const declined = await decide(use, 'Decline', older);
        const request = { scent_order_id: paid.order.order_id };
        expect(await paid.partner.pages('ListReturnRequests', request)).toEqual([newer, declined]);
      },
      'NOT_FOUND_SCENT_ORDER: an unknown order': { scent_order_id: UNKNOWN },
      'NOT_FOUND_SCENT_ORDER: another partner’s': byAStranger,
      'NOT_FOUND_SCENT_ORDER: the other environment’s': inTheOtherEnvironment,
    },
  ),
});
