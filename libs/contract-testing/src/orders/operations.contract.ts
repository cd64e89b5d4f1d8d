import { expect } from '@jest/globals';
import { eventually } from '@reseller/testing';
import type { Case, Message } from '../contract';
import { operatorRpc, rpc, service, type Sentences } from '../notation';
import type { Party } from '../party';
import { repeated } from '../variations';
import type { World } from '../world';
import { buyer, handOver, paidScent, place, whileAway, withGroup, type Ends, type Product } from './arrange';

type Decision = 'ResolveOrder' | 'CancelOrder' | 'ReverseOrder';

/** Decides on an order; returns it, of whichever product it is. */
export async function decide(
  world: World,
  decision: Decision,
  { order_global_id }: Message,
  more: Message = {},
): Promise<Message> {
  const order = await world.get(decision, { order_global_id, notes: 'checked', ...more });
  return (order.topup ?? order.esim ?? order.scent) as Message;
}

const resolve = (world: World, order: Message, outcome: string, more: Message = {}) =>
  decide(world, 'ResolveOrder', order, { outcome: `ORDER_STATUS_${outcome}`, ...more });

const timelineOf = (world: World, { order_global_id }: Message) =>
  world.call('GetOrderTimeline', { order_global_id });

/** A decision on an order that has come to this. */
const on =
  (decision: Decision, ends: Ends, product: Product = 'Topup') =>
  async (world: World) => {
    const { order_global_id } = await place(buyer(world), product, ends);
    const outcome = decision === 'ResolveOrder' ? { outcome: 'ORDER_STATUS_FAILED' } : {};
    return [world, { order_global_id, notes: 'checked', ...outcome }] as const;
  };

/** Works with a top-up whose money is not yet set aside, because finance went away. */
export const withPending = <T>(
  world: World,
  work: (order: Message, partner: Party) => Promise<T>,
): Promise<T> => {
  const partner = buyer(world);
  return whileAway(world, partner, 'reserveFunds', async () => {
    await place(partner).catch(() => undefined);
    const [order] = await world.list('ListAllOrders', { partner_id: partner.id });
    if (!order) throw new Error('the order is not there');
    return work(order, partner);
  });
};

/** A decision stands while finance is away, and is carried out once it is back. */
const financeAway =
  (
    method: 'captureFunds' | 'refundFunds',
    ends: Ends,
    carryOut: (world: World, order: Message) => Promise<Message>,
    status: string,
  ): Case =>
  async (use) => {
    const partner = buyer(use);
    const order = await place(partner, 'Topup', ends);
    const outcome = await whileAway(use, partner, method, () =>
      carryOut(use, order).catch((error: unknown) => error as Error),
    );
    await eventually(
      async () => expect(await timelineOf(use, order)).toMatchObject({ summary: { status } }),
      { timeoutMs: 10_000 },
    );
    if (outcome instanceof Error) throw outcome;
  };

const unknownOrder: Sentences = { 'NOT_FOUND_ORDER: an unknown order': { order_global_id: 'TU-NONE' } };

/** What operators do with orders. */
export const orderOperations = service('OrderOperationsService', {
  ListAllOrders: rpc(undefined, {
    'lists every partner’s, newest first, page by page': async (use) => {
      const [older, newer] = [await place(buyer(use)), await place(buyer(use))];
      const listed = await use.pages('ListAllOrders', { status: 'ORDER_STATUS_COMPLETED' });
      expect(listed.slice(0, 2)).toMatchObject(
        [newer, older].map(({ order_id, partner_id, environment }) => ({
          order_id,
          partner_id,
          environment,
        })),
      );
    },
    'keeps to a partner, an environment and a status': async (use) => {
      const partner = buyer(use);
      const { order_id } = await place(partner);
      const others = [
        { environment: 'ENVIRONMENT_LIVE' },
        { status: 'ORDER_STATUS_FAILED' },
        { partner_id: 'nobody' },
      ];
      const filters = { ...partner.ref, status: 'ORDER_STATUS_COMPLETED' };
      await use.keepsTo('ListAllOrders', filters, others, [{ order_id }]);
    },
  }),
  GetOrderTimeline: rpc(async (world) => [world], {
    'tells the saga’s steps in order of time': async (use) => {
      const order = await place(buyer(use));
      const timeline = await timelineOf(use, order);
      expect(timeline).toMatchObject({
        summary: { order_id: order.order_id, status: 'ORDER_STATUS_COMPLETED' },
        scent_order: null,
      });
      const entries = timeline.entries as Message[];
      const times = entries.map(({ occurred_at }) => String(occurred_at));
      expect(times).toEqual([...times].sort());
      const steps = ['order.created', 'funds.reserve', 'vendor.submit'];
      expect(entries.map(({ step }) => step)).toEqual(expect.arrayContaining(steps));
      for (const { outcome } of entries)
        expect(['Intent', 'Done', 'Refused', 'Pending', 'Unknown', 'Failed']).toContain(outcome);
    },
    'tells of a scent order’s groups, and shows it as it stands': async (use) => {
      const { order, first } = await paidScent(use);
      const shipped = await withGroup(use, 'Ship', first);
      expect((await timelineOf(use, order)).scent_order).toEqual(shipped);
    },
    ...unknownOrder,
  }),
  ResolveOrder: operatorRpc(on('ResolveOrder', 'unknown'), {
    'COMPLETED charges an order of which nobody knew what the vendor did': async (use) => {
      const order = await place(buyer(use), 'Topup', 'unknown');
      expect(order).toMatchObject({ status: 'ORDER_STATUS_INTERVENTION_REQUIRED' });
      expect(await resolve(use, order, 'COMPLETED')).toMatchObject({
        order_id: order.order_id,
        status: 'ORDER_STATUS_COMPLETED',
        completed_at: expect.any(String),
      });
      const { entries } = await timelineOf(use, order);
      expect(entries).toContainEqual(expect.objectContaining({ step: 'operator.resolve' }));
    },
    'FAILED frees its money': async (use) => {
      const partner = buyer(use, '10.00');
      const order = await place(partner, 'Topup', 'unknown');
      expect(await resolve(use, order, 'FAILED')).toMatchObject({
        status: 'ORDER_STATUS_FAILED',
        failure_code: 'OPERATOR_DECISION',
      });
      await place(partner);
    },
    'repeated at once, it is carried out once and both are answered': async (use) => {
      const { call } = await use.given();
      // The second may come when the first is done already; then it is refused, and nothing else.
      const outcome = { outcome: 'ORDER_STATUS_COMPLETED' };
      const outcomes = await Promise.allSettled([call(outcome), call(outcome)]);
      const replies = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      expect(replies).not.toEqual([]);
      expect(new Set(replies.map((one) => JSON.stringify(one))).size).toBe(1);
      for (const one of outcomes)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    },
    'an eSIM gets the activation data that are given where the vendor has none': async (use) => {
      const order = await place(buyer(use), 'Esim', 'unknown');
      const given = { esim_iccid: '8999', esim_qr_code: 'LPA:1$smdp$code', esim_activation_code: 'code' };
      expect(await resolve(use, order, 'COMPLETED', given)).toMatchObject({
        status: 'ORDER_STATUS_COMPLETED',
        esim_iccid: expect.any(String),
        esim_qr_code: expect.stringMatching(/^LPA:1\$/),
      });
    },
    'VALIDATION_FAILED: another outcome': { outcome: 'ORDER_STATUS_CANCELLED' },
    ...unknownOrder,
    'CONFLICT_ORDER_STATE: an order that needs no decision': async (use) =>
      resolve(use, await place(buyer(use)), 'COMPLETED'),
    'CONFLICT_ORDER_STATE: one that was decided': repeated(),
    'SERVICE_UNAVAILABLE: finance away; the decision is carried out once it is back': financeAway(
      'captureFunds',
      'unknown',
      (world, order) => resolve(world, order, 'COMPLETED'),
      'ORDER_STATUS_COMPLETED',
    ),
  }),
  CancelOrder: operatorRpc(on('CancelOrder', 'completed'), {
    'ends an order that is pending, before any vendor was asked': async (use) =>
      expect(await withPending(use, (order) => decide(use, 'CancelOrder', order))).toMatchObject({
        status: 'ORDER_STATUS_CANCELLED',
        completed_at: expect.any(String),
      }),
    'is cancelled at once also with finance away': async (use) => {
      const cancelled = await withPending(use, (order, partner) =>
        whileAway(use, partner, 'releaseFunds', () => decide(use, 'CancelOrder', order)),
      );
      expect(cancelled).toMatchObject({ status: 'ORDER_STATUS_CANCELLED' });
    },
    'cancels every open group of a scent order, and gives their money back': async (use) => {
      const { partner, order } = await paidScent(use, buyer(use, '270.00'));
      const group = { status: 'FULFILLMENT_GROUP_STATUS_CANCELLED' };
      expect(await decide(use, 'CancelOrder', order)).toMatchObject({
        status: 'ORDER_STATUS_CANCELLED',
        fulfillment_groups: [group, group],
      });
      await paidScent(use, partner);
    },
    ...unknownOrder,
    'CONFLICT_ORDER_STATE: a completed one': {},
    'CONFLICT_ORDER_STATE: a scent order without an open group': async (use) => {
      const { order, first, second } = await paidScent(use);
      for (const group of [first, second]) await handOver(use, group);
      return decide(use, 'CancelOrder', order);
    },
    'SERVICE_UNAVAILABLE: a scent order, with finance away': async (use) => {
      const { partner, order } = await paidScent(use);
      return whileAway(use, partner, 'refundUnits', () => decide(use, 'CancelOrder', order));
    },
  }),
  ReverseOrder: operatorRpc(on('ReverseOrder', 'completed'), {
    'refunds a completed order': async (use) => {
      const partner = buyer(use, '10.00');
      const order = await place(partner);
      const { completed_at } = order;
      expect(await decide(use, 'ReverseOrder', order)).toMatchObject({
        status: 'ORDER_STATUS_REVERSED',
        completed_at,
      });
      await place(partner);
    },
    ...unknownOrder,
    'CONFLICT_ORDER_STATE: one that failed': async (use) =>
      decide(use, 'ReverseOrder', await place(buyer(use), 'Topup', 'refused')),
    'CONFLICT_ORDER_STATE: a repetition': repeated(),
    'CONFLICT_ORDER_STATE: a scent order': async (use) =>
      decide(use, 'ReverseOrder', (await paidScent(use)).order),
    'SERVICE_UNAVAILABLE: finance away; the decision is carried out once it is back': financeAway(
      'refundFunds',
      'completed',
      (world, order) => decide(world, 'ReverseOrder', order),
      'ORDER_STATUS_REVERSED',
    ),
  }),
});
