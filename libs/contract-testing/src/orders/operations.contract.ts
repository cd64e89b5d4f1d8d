import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import type { Cases, Message, RpcContract, ServiceContract } from '../contract';
import { list, part, text } from '../message';
import { expectPages } from '../paging';
import type { Partner, World } from '../world';
import {
  esimRequest,
  fundedPartner,
  operator,
  paidScent,
  place,
  topupRequest,
  whileRefused,
  withGroup,
} from './arrange';

type Decision = 'ResolveOrder' | 'CancelOrder' | 'ReverseOrder';

const decide = async (world: World, rpc: Decision, order: Message, more: Message = {}) => {
  const request = { order_global_id: order['order_global_id'], notes: 'checked', ...more };
  const answer = await world.call(`OrderOperationsService.${rpc}`, request, operator);
  return part(part(answer, 'order'), 'topup' in part(answer, 'order') ? 'topup' : 'esim');
};

const resolve = (world: World, order: Message, outcome: string, more: Message = {}) =>
  decide(world, 'ResolveOrder', order, { outcome: `ORDER_STATUS_${outcome}`, ...more });

const timelineOf = (world: World, { order_global_id }: Message) =>
  world.call('OrderOperationsService.GetOrderTimeline', { order_global_id });

/** A top-up of which nobody knows what the vendor did. */
const unknownTopup = (world: World, partner = fundedPartner()) =>
  place(world, 'Topup', partner, topupRequest('unknown'));

/** A top-up whose money is not yet set aside, because finance went away. */
async function pendingTopup<T>(
  world: World,
  work: (order: Message, partner: Partner) => Promise<T>,
): Promise<T> {
  const partner = fundedPartner();
  const away = {
    dependency: 'finance',
    method: 'reserveFunds',
    code: 'SERVICE_UNAVAILABLE',
  } as const;
  return whileRefused(world, away, partner, async () => {
    await place(world, 'Topup', partner, topupRequest()).catch(() => undefined);
    const mine = await world.call('OrderOperationsService.ListAllOrders', { partner_id: partner.id });
    const [order] = list(mine, 'orders');
    if (!order) throw new Error('the order is not there');
    return work(order, partner);
  });
}

const isUnknown = (rpc: Decision): Cases => ({
  'an unknown order': (world) =>
    decide(world, rpc, { order_global_id: 'TU-NONE' }, { outcome: 'ORDER_STATUS_FAILED' }),
});

/** A decision stands while finance is away, and is carried out once it is back. */
const financeAway = (
  method: string,
  arrange: (world: World, partner: Partner) => Promise<Message>,
  call: (world: World, order: Message) => Promise<Message>,
  end: string,
): Cases => ({
  'finance away; the decision is carried out once it is back': async (world) => {
    const partner = fundedPartner();
    const order = await arrange(world, partner);
    const code: ErrorCode = 'SERVICE_UNAVAILABLE';
    const refused = await whileRefused(world, { dependency: 'finance', method, code }, partner, () =>
      call(world, order).then(
        () => new Error('it was not refused'),
        (error: unknown) => error,
      ),
    );
    await eventually(
      async () => {
        const { summary } = await timelineOf(world, order);
        expect(summary).toMatchObject({ status: `ORDER_STATUS_${end}` });
      },
      { timeoutMs: 10_000 },
    );
    throw refused;
  },
});

const resolveOrder: RpcContract = {
  needsOperator: true,
  promises: {
    'COMPLETED charges an order of which nobody knew what the vendor did': async (world) => {
      const order = await unknownTopup(world);
      expect(order).toMatchObject({ status: 'ORDER_STATUS_INTERVENTION_REQUIRED' });
      expect(await resolve(world, order, 'COMPLETED')).toMatchObject({
        order_id: order['order_id'],
        status: 'ORDER_STATUS_COMPLETED',
        completed_at: expect.any(String),
      });
      const { entries } = await timelineOf(world, order);
      expect(entries).toContainEqual(expect.objectContaining({ step: 'operator.resolve' }));
    },
    'FAILED frees its money': async (world) => {
      const partner = fundedPartner('10.00');
      const order = await unknownTopup(world, partner);
      expect(await resolve(world, order, 'FAILED')).toMatchObject({
        status: 'ORDER_STATUS_FAILED',
        failure_code: 'OPERATOR_DECISION',
      });
      await place(world, 'Topup', partner, topupRequest());
    },
    'repeated at once, it is carried out once and both are answered': async (world) => {
      const order = await unknownTopup(world);
      const [one, other] = await Promise.all([
        resolve(world, order, 'COMPLETED'),
        resolve(world, order, 'COMPLETED'),
      ]).catch((error: unknown) => [error, error] as const);
      // The second may come when the first is done already; then it is refused, and nothing else.
      if (one === other) expect(one).toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
      else expect(one).toEqual(other);
    },
    'an eSIM gets the activation data that are given where the vendor has none': async (world) => {
      const order = await place(world, 'Esim', fundedPartner(), esimRequest('unknown'));
      const given = { esim_iccid: '8999', esim_qr_code: 'LPA:1$smdp$code', esim_activation_code: 'code' };
      const resolved = await resolve(world, order, 'COMPLETED', given);
      expect(resolved).toMatchObject({
        status: 'ORDER_STATUS_COMPLETED',
        esim_iccid: expect.any(String),
        esim_qr_code: expect.stringMatching(/^LPA:1\$/),
      });
    },
  },
  refuses: {
    VALIDATION_FAILED: {
      'another outcome': async (world) => resolve(world, await unknownTopup(world), 'CANCELLED'),
    },
    NOT_FOUND_ORDER: isUnknown('ResolveOrder'),
    CONFLICT_ORDER_STATE: {
      'an order that needs no decision': async (world) =>
        resolve(world, await place(world, 'Topup', fundedPartner(), topupRequest()), 'COMPLETED'),
      'one that was decided': async (world) => {
        const order = await unknownTopup(world);
        await resolve(world, order, 'FAILED');
        return resolve(world, order, 'FAILED');
      },
    },
    SERVICE_UNAVAILABLE: financeAway(
      'captureFunds',
      unknownTopup,
      (world, order) => resolve(world, order, 'COMPLETED'),
      'COMPLETED',
    ),
  },
};

const cancelOrder: RpcContract = {
  needsOperator: true,
  promises: {
    'ends an order that is pending, before any vendor was asked': async (world) => {
      const cancelled = await pendingTopup(world, (order) => decide(world, 'CancelOrder', order));
      expect(cancelled).toMatchObject({
        status: 'ORDER_STATUS_CANCELLED',
        completed_at: expect.any(String),
      });
    },
    'is cancelled at once also with finance away': async (world) => {
      const cancelled = await pendingTopup(world, (order, partner) => {
        const away = { dependency: 'finance', method: 'releaseFunds' } as const;
        return whileRefused(world, { ...away, code: 'SERVICE_UNAVAILABLE' }, partner, () =>
          decide(world, 'CancelOrder', order),
        );
      });
      expect(cancelled).toMatchObject({ status: 'ORDER_STATUS_CANCELLED' });
    },
    'cancels every open group of a scent order, and gives their money back': async (world) => {
      const { partner, order } = await paidScent(world, fundedPartner('270.00'));
      const request = { order_global_id: order['order_global_id'], notes: '' };
      const answer = await world.call('OrderOperationsService.CancelOrder', request, operator);
      expect(answer['order']).toMatchObject({
        scent: {
          status: 'ORDER_STATUS_CANCELLED',
          fulfillment_groups: [
            { status: 'FULFILLMENT_GROUP_STATUS_CANCELLED' },
            { status: 'FULFILLMENT_GROUP_STATUS_CANCELLED' },
          ],
        },
      });
      await paidScent(world, partner);
    },
  },
  refuses: {
    NOT_FOUND_ORDER: isUnknown('CancelOrder'),
    CONFLICT_ORDER_STATE: {
      'a completed one': async (world) =>
        decide(world, 'CancelOrder', await place(world, 'Topup', fundedPartner(), topupRequest())),
      'a scent order without an open group': async (world) => {
        const { order, first, second } = await paidScent(world);
        for (const group of [first, second]) {
          await withGroup(world, 'Ship', group.id);
          await withGroup(world, 'Deliver', group.id);
        }
        return decide(world, 'CancelOrder', order);
      },
    },
    SERVICE_UNAVAILABLE: {
      'a scent order, with finance away': async (world) => {
        const { partner, order } = await paidScent(world);
        const away = { dependency: 'finance', method: 'refundUnits' } as const;
        return whileRefused(world, { ...away, code: 'SERVICE_UNAVAILABLE' }, partner, () =>
          decide(world, 'CancelOrder', order),
        );
      },
    },
  },
};

const reverseOrder: RpcContract = {
  needsOperator: true,
  promises: {
    'refunds a completed order': async (world) => {
      const partner = fundedPartner('10.00');
      const order = await place(world, 'Topup', partner, topupRequest());
      expect(await decide(world, 'ReverseOrder', order)).toMatchObject({
        status: 'ORDER_STATUS_REVERSED',
        completed_at: order['completed_at'],
      });
      await place(world, 'Topup', partner, topupRequest());
    },
  },
  refuses: {
    NOT_FOUND_ORDER: isUnknown('ReverseOrder'),
    CONFLICT_ORDER_STATE: {
      'one that failed': async (world) =>
        decide(world, 'ReverseOrder', await place(world, 'Topup', fundedPartner(), topupRequest('refused'))),
      'a repetition': async (world) => {
        const order = await place(world, 'Topup', fundedPartner(), topupRequest());
        await decide(world, 'ReverseOrder', order);
        return decide(world, 'ReverseOrder', order);
      },
      'a scent order': async (world) => decide(world, 'ReverseOrder', (await paidScent(world)).order),
    },
    SERVICE_UNAVAILABLE: financeAway(
      'refundFunds',
      (world, partner) => place(world, 'Topup', partner, topupRequest()),
      (world, order) => decide(world, 'ReverseOrder', order),
      'REVERSED',
    ),
  },
};

/** What operators do with orders. */
export const orderOperations: ServiceContract = {
  service: 'OrderOperationsService',
  speaksFor: 'whom the request names',
  rpcs: {
    ListAllOrders: {
      promises: {
        'lists every partner’s, newest first, page by page': async (world) => {
          const older = await place(world, 'Topup', fundedPartner(), topupRequest());
          const newer = await place(world, 'Topup', fundedPartner(), topupRequest());
          const listed = await expectPages(world, {
            rpc: 'OrderOperationsService.ListAllOrders',
            field: 'orders',
            request: { status: 'ORDER_STATUS_COMPLETED' },
          });
          expect(listed.slice(0, 2)).toMatchObject(
            [newer, older].map(({ order_id, partner_id, environment }) => ({
              order_id,
              partner_id,
              environment,
            })),
          );
        },
        'keeps to a partner, an environment and a status': async (world) => {
          const partner = fundedPartner();
          const order = await place(world, 'Topup', partner, topupRequest());
          const listed = async (filter: Message) =>
            list(await world.call('OrderOperationsService.ListAllOrders', filter), 'orders').map(
              ({ order_id }) => order_id,
            );
          const all = { ...partner.ref, status: 'ORDER_STATUS_COMPLETED' };
          expect(await listed(all)).toEqual([order['order_id']]);
          for (const other of [
            { environment: 'ENVIRONMENT_LIVE' },
            { status: 'ORDER_STATUS_FAILED' },
            { partner_id: 'nobody' },
          ])
            expect(await listed({ ...all, ...other })).toEqual([]);
        },
      },
    },
    GetOrderTimeline: {
      promises: {
        'tells the saga’s steps in order of time': async (world) => {
          const order = await place(world, 'Topup', fundedPartner(), topupRequest());
          const answer = await timelineOf(world, order);
          expect(answer).toMatchObject({
            summary: { order_id: order['order_id'], status: 'ORDER_STATUS_COMPLETED' },
            scent_order: null,
          });
          const entries = list(answer, 'entries');
          const times = entries.map((entry) => text(entry, 'occurred_at'));
          expect(times).toEqual([...times].sort());
          expect(entries.map(({ step }) => step)).toEqual(
            expect.arrayContaining(['order.created', 'funds.reserve', 'vendor.submit']),
          );
          for (const { outcome } of entries)
            expect(['Intent', 'Done', 'Refused', 'Pending', 'Unknown', 'Failed']).toContain(outcome);
        },
        'tells of a scent order’s groups, and shows it as it stands': async (world) => {
          const { order, first } = await paidScent(world);
          const shipped = await withGroup(world, 'Ship', first.id);
          const answer = await timelineOf(world, order);
          expect(answer['scent_order']).toEqual(shipped);
        },
      },
      refuses: {
        NOT_FOUND_ORDER: {
          'an unknown order': (world) => timelineOf(world, { order_global_id: 'TU-NONE' }),
        },
      },
    },
    ResolveOrder: resolveOrder,
    CancelOrder: cancelOrder,
    ReverseOrder: reverseOrder,
  },
};
