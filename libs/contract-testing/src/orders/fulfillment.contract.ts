import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { list, part } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, type World } from '../world';
import {
  askReturn,
  deliveredScent,
  fundedPartner,
  operator,
  paidScent,
  shop,
  whileRefused,
  withGroup,
} from './arrange';

type Move = 'Ship' | 'Deliver' | 'Cancel';

const at = (rpc: string): string => `FulfillmentOperationsService.${rpc}`;

const statusOf = (order: Message, groupId: string): unknown =>
  list(order, 'fulfillment_groups').find(({ fulfillment_group_id: id }) => id === groupId)?.['status'];

const unknownGroup = (move: Move): Cases => ({
  'an unknown group': (world) => withGroup(world, move, uuidv7()),
  'an id that is none': (world) => withGroup(world, move, 'one'),
});

const decide = async (
  world: World,
  what: 'Approve' | 'Decline',
  return_request_id: unknown,
  more: Message = {},
): Promise<Message> =>
  part(
    await world.call(at(`${what}ReturnRequest`), { return_request_id, ...more }, operator),
    'return_request',
  );
const decline = (world: World, id: unknown, reason = 'worn') => decide(world, 'Decline', id, { reason });

/** What finance refuses an operator's decision with is answered as it is. */
const whenFinanceRefuses = (
  code: ErrorCode,
  work: (
    world: World,
  ) => Promise<{ partner: ReturnType<typeof fundedPartner>; decide: () => Promise<Message> }>,
): Cases => ({
  'what finance answers so': async (world) => {
    const { partner, decide: carryOut } = await work(world);
    const refusal = { dependency: 'finance', method: 'refundUnits', code };
    return whileRefused(world, refusal, partner, carryOut);
  },
});

const cancelled = async (world: World) => {
  const { partner, first } = await paidScent(world);
  return { partner, decide: () => withGroup(world, 'Cancel', first.id) };
};

const approved = async (world: World) => {
  const paid = await deliveredScent(world);
  const { return_request_id: id } = await askReturn(world, paid, paid.first);
  return { partner: paid.partner, decide: () => decide(world, 'Approve', id) };
};

/** What operators do with groups and returns. */
export const fulfillment: ServiceContract = {
  service: 'FulfillmentOperationsService',
  speaksFor: 'whom the request names',
  rpcs: {
    GetOrderOfFulfillmentGroup: {
      promises: {
        'answers the order of a group': async (world) => {
          const { order, first } = await paidScent(world);
          const request = { fulfillment_group_id: first.id };
          expect(await world.call(at('GetOrderOfFulfillmentGroup'), request)).toEqual({ order });
        },
      },
      refuses: {
        NOT_FOUND_FULFILLMENT_GROUP: {
          'an unknown group': (world) =>
            world.call(at('GetOrderOfFulfillmentGroup'), { fulfillment_group_id: uuidv7() }),
        },
      },
    },
    GetReturnRequest: {
      promises: {
        'answers any partner’s': async (world) => {
          const paid = await deliveredScent(world);
          const request = await askReturn(world, paid, paid.first);
          const { return_request_id } = request;
          expect(await world.call(at('GetReturnRequest'), { return_request_id })).toEqual({
            return_request: request,
          });
        },
      },
      refuses: {
        NOT_FOUND_RETURN_REQUEST: {
          'an unknown one': (world) => world.call(at('GetReturnRequest'), { return_request_id: uuidv7() }),
        },
      },
    },
    ShipFulfillmentGroup: {
      needsOperator: true,
      promises: {
        'moves one group from pending to shipped': async (world) => {
          const { first, second } = await paidScent(world);
          const order = await withGroup(world, 'Ship', first.id);
          expect(order['status']).toBe('ORDER_STATUS_PROCESSING');
          expect(statusOf(order, first.id)).toBe('FULFILLMENT_GROUP_STATUS_SHIPPED');
          expect(statusOf(order, second.id)).toBe('FULFILLMENT_GROUP_STATUS_PENDING');
        },
      },
      refuses: {
        NOT_FOUND_FULFILLMENT_GROUP: unknownGroup('Ship'),
        CONFLICT_FULFILLMENT_GROUP_STATUS: {
          'a repetition': async (world) => {
            const { first } = await paidScent(world);
            await withGroup(world, 'Ship', first.id);
            return withGroup(world, 'Ship', first.id);
          },
        },
      },
    },
    DeliverFulfillmentGroup: {
      needsOperator: true,
      promises: {
        'the first delivery makes the order partially delivered, the last completes it': async (world) => {
          const { first, second } = await paidScent(world);
          for (const group of [first, second]) await withGroup(world, 'Ship', group.id);
          const order = await withGroup(world, 'Deliver', first.id);
          expect(order).toMatchObject({ status: 'ORDER_STATUS_PARTIALLY_DELIVERED', completed_at: null });
          expect(list(order, 'fulfillment_groups')).toContainEqual({
            fulfillment_group_id: first.id,
            status: 'FULFILLMENT_GROUP_STATUS_DELIVERED',
            delivered_at: expect.any(String),
          });
          expect(await withGroup(world, 'Deliver', second.id)).toMatchObject({
            status: 'ORDER_STATUS_COMPLETED',
            completed_at: expect.any(String),
          });
        },
      },
      refuses: {
        NOT_FOUND_FULFILLMENT_GROUP: unknownGroup('Deliver'),
        CONFLICT_FULFILLMENT_GROUP_STATUS: {
          'a group that was not shipped': async (world) =>
            withGroup(world, 'Deliver', (await paidScent(world)).first.id),
        },
      },
    },
    CancelFulfillmentGroup: {
      needsOperator: true,
      promises: {
        'gives the group’s money and units back; the last one cancels the order': async (world) => {
          const partner = fundedPartner('270.00');
          const { first, second } = await paidScent(world, partner);
          const order = await withGroup(world, 'Cancel', first.id);
          expect(statusOf(order, first.id)).toBe('FULFILLMENT_GROUP_STATUS_CANCELLED');
          expect(order).toMatchObject({ status: 'ORDER_STATUS_PROCESSING' });
          expect(shop.restocked.get(first.id)).toMatchObject([{ quantity: 2 }]);
          await withGroup(world, 'Ship', second.id);
          expect(await withGroup(world, 'Cancel', second.id)).toMatchObject({
            status: 'ORDER_STATUS_CANCELLED',
          });
          // All of it is back: the same balance buys the order again.
          await paidScent(world, partner);
        },
      },
      refuses: {
        NOT_FOUND_FULFILLMENT_GROUP: unknownGroup('Cancel'),
        CONFLICT_FULFILLMENT_GROUP_STATUS: {
          'a delivered group': async (world) =>
            withGroup(world, 'Cancel', (await deliveredScent(world)).first.id),
          'a repetition': async (world) => {
            const { first } = await paidScent(world);
            await withGroup(world, 'Cancel', first.id);
            return withGroup(world, 'Cancel', first.id);
          },
        },
        BUSINESS_INSUFFICIENT_BALANCE: whenFinanceRefuses('BUSINESS_INSUFFICIENT_BALANCE', cancelled),
        SERVICE_UNAVAILABLE: whenFinanceRefuses('SERVICE_UNAVAILABLE', cancelled),
      },
    },
    ListAllReturnRequests: {
      promises: {
        'lists every partner’s, newest first, page by page': async (world) => {
          const [one, other] = [await deliveredScent(world), await deliveredScent(world)];
          const older = await askReturn(world, one, one.first);
          const newer = await askReturn(world, other, other.first);
          const listed = await expectPages(world, {
            rpc: at('ListAllReturnRequests'),
            field: 'return_requests',
          });
          expect(listed.slice(0, 2)).toEqual([newer, older]);
        },
        'keeps to a status': async (world) => {
          const paid = await deliveredScent(world);
          const request = await askReturn(world, paid, paid.first);
          const declined = await decline(world, request['return_request_id']);
          const answer = await world.call(at('ListAllReturnRequests'), {
            status: 'RETURN_REQUEST_STATUS_DECLINED',
          });
          expect(list(answer, 'return_requests')[0]).toEqual(declined);
        },
      },
    },
    ApproveReturnRequest: {
      needsOperator: true,
      promises: {
        'refunds the units, and the order shows what came back': async (world) => {
          const paid = await deliveredScent(world);
          const request = await askReturn(world, paid, paid.first, 2);
          const answer = await decide(world, 'Approve', request['return_request_id']);
          expect(answer).toEqual({
            ...request,
            status: 'RETURN_REQUEST_STATUS_APPROVED',
            decided_at: expect.any(String),
            decided_by_user_id: expect.any(String),
          });
          const read = await world.call(
            'ScentOrderService.GetScentOrder',
            { order_id: paid.order['order_id'] },
            paid.partner.caller,
          );
          const order = part(read, 'order');
          expect(list(order, 'lines')).toMatchObject([{ returned_quantity: 2 }, { returned_quantity: 0 }]);
          expect(shop.restocked.has(paid.first.id)).toBe(false);
        },
      },
      refuses: {
        NOT_FOUND_RETURN_REQUEST: {
          'an unknown one': (world) => decide(world, 'Approve', uuidv7()),
        },
        CONFLICT_RETURN_REQUEST_DECIDED: {
          'one that was declined': async (world) => {
            const paid = await deliveredScent(world);
            const { return_request_id: id } = await askReturn(world, paid, paid.first);
            await decline(world, id);
            return decide(world, 'Approve', id);
          },
          'a repetition': async (world) => {
            const paid = await deliveredScent(world);
            const { return_request_id: id } = await askReturn(world, paid, paid.first);
            await decide(world, 'Approve', id);
            return decide(world, 'Approve', id);
          },
        },
        BUSINESS_INSUFFICIENT_BALANCE: whenFinanceRefuses('BUSINESS_INSUFFICIENT_BALANCE', approved),
        SERVICE_UNAVAILABLE: whenFinanceRefuses('SERVICE_UNAVAILABLE', approved),
      },
    },
    DeclineReturnRequest: {
      needsOperator: true,
      promises: {
        'says why, and frees the units it claimed': async (world) => {
          const paid = await deliveredScent(world);
          const request = await askReturn(world, paid, paid.first, 2);
          expect(await decline(world, request['return_request_id'], 'worn')).toEqual({
            ...request,
            status: 'RETURN_REQUEST_STATUS_DECLINED',
            decided_at: expect.any(String),
            decided_by_user_id: expect.any(String),
            decline_reason: 'worn',
          });
          await askReturn(world, paid, paid.first, 2);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no reason': (world) => decline(world, uuidv7(), ''),
          'a reason of 501 characters': (world) => decline(world, uuidv7(), 'x'.repeat(501)),
        },
        NOT_FOUND_RETURN_REQUEST: { 'an unknown one': (world) => decline(world, uuidv7()) },
        CONFLICT_RETURN_REQUEST_DECIDED: {
          'a repetition': async (world) => {
            const paid = await deliveredScent(world);
            const { return_request_id: id } = await askReturn(world, paid, paid.first);
            await decline(world, id);
            return decline(world, id);
          },
        },
      },
    },
  },
};

const listReturns = (world: World, scent_order_id: unknown, caller = newPartner().caller) =>
  world.call('ReturnRequestService.ListReturnRequests', { scent_order_id }, caller);

/** Returns as partners ask for them. */
export const returnRequests: ServiceContract = {
  service: 'ReturnRequestService',
  speaksFor: 'the partner of the metadata',
  rpcs: {
    CreateReturnRequest: {
      promises: {
        'asks for units of a delivered group; two calls are two requests': async (world) => {
          const paid = await deliveredScent(world);
          const { partner, order, first } = paid;
          const request = await askReturn(world, paid, first);
          expect(request).toEqual({
            ...partner.ref,
            return_request_id: expect.any(String),
            scent_order_id: order['order_id'],
            order_global_id: order['order_global_id'],
            fulfillment_group_id: first.id,
            status: 'RETURN_REQUEST_STATUS_PENDING',
            requested_at: expect.any(String),
            decided_at: null,
            lines: [
              {
                line_id: expect.any(String),
                scent_order_line_id: first.line,
                quantity: 1,
                reason: 'RETURN_REASON_DAMAGED',
              },
            ],
          });
          const other = await askReturn(world, paid, first);
          expect(other['return_request_id']).not.toBe(request['return_request_id']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no units': async (world) => {
            const paid = await deliveredScent(world);
            return askReturn(world, paid, paid.first, 0);
          },
        },
        NOT_FOUND_SCENT_ORDER: {
          'another partner’s order': async (world) => {
            const paid = await deliveredScent(world);
            return askReturn(world, { ...paid, partner: newPartner() }, paid.first);
          },
          'a group of another order': async (world) => {
            const [paid, other] = [await deliveredScent(world), await deliveredScent(world)];
            return askReturn(world, paid, other.first);
          },
          'a line of another group': async (world) => {
            const paid = await deliveredScent(world);
            return askReturn(world, paid, { id: paid.first.id, line: paid.second.line });
          },
        },
        BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED: {
          'a group that is not delivered': async (world) => {
            const paid = await deliveredScent(world);
            return askReturn(world, paid, paid.second);
          },
        },
        BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED: {
          'more units than were delivered': async (world) => {
            const paid = await deliveredScent(world);
            return askReturn(world, paid, paid.first, 3);
          },
          'more than another pending request leaves': async (world) => {
            const paid = await deliveredScent(world);
            await askReturn(world, paid, paid.first, 2);
            return askReturn(world, paid, paid.first, 1);
          },
        },
      },
      unreachable: {
        BUSINESS_RETURN_REQUEST_WINDOW_CLOSED: 'The window is open for 14 days after the delivery.',
      },
    },
    ListReturnRequests: {
      promises: {
        'lists newest first, every status, page by page': async (world) => {
          const paid = await deliveredScent(world);
          const older = await askReturn(world, paid, paid.first);
          const newer = await askReturn(world, paid, paid.first);
          const declined = await decline(world, older['return_request_id']);
          const listed = await expectPages(world, {
            rpc: 'ReturnRequestService.ListReturnRequests',
            field: 'return_requests',
            request: { scent_order_id: paid.order['order_id'] },
            caller: paid.partner.caller,
          });
          expect(listed).toEqual([newer, declined]);
        },
      },
      refuses: {
        NOT_FOUND_SCENT_ORDER: {
          'an unknown order': (world) => listReturns(world, uuidv7()),
          'another partner’s': async (world) =>
            listReturns(world, (await paidScent(world)).order['order_id']),
          'the other environment’s': async (world) => {
            const { order, partner } = await paidScent(world);
            return listReturns(world, order['order_id'], elsewhere(partner).caller);
          },
        },
      },
    },
  },
};
