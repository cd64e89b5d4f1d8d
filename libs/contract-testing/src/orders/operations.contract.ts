import { byOperators, eventually, expect, lists, operatorRpc, passesOn, rpc } from '../prelude';
import { service, settled, UNREACHABLE, uuidv7, waiting, whileFailing } from '../prelude';
import type { Case, Message, Party, World } from '../prelude';
import { NOBODY } from '../scent/fake-shop';
import { orderOverview } from './overview.contract';
import { BRIEFLY_MS, buyer, decisionOn, handOver, paidScent, parkedScent, place, placed } from './arrange';
import { PRICES, requestOf, shop, withGroup } from './arrange';

type Decision = 'ResolveOrder' | 'CancelOrder' | 'ReverseOrder';

/** Decides on an order; returns it, of whichever product it is. */
export async function decide(
  world: World,
  decision: Decision,
  of: Message,
  more: Message = {},
): Promise<Message> {
  const order = await world.get(decision, { ...decisionOn(of), ...more });
  return (order.topup ?? order.esim ?? order.scent) as Message;
}

const resolve = (world: World, order: Message, outcome: string, more: Message = {}) =>
  decide(world, 'ResolveOrder', order, { outcome: `ORDER_STATUS_${outcome}`, ...more });

const timelineOf = (world: World, { order_global_id }: Message) =>
  world.call('GetOrderTimeline', { order_global_id });

/** The key of a checkout that stands so, of an order that nobody made. */
function withoutOrder(state: 'begun' | 'committed'): string {
  const key = `SC-${uuidv7()}`;
  shop.put(key, state);
  return key;
}

/** Works with a top-up whose money is not yet set aside, because finance went away. */
export const withPending = <T>(
  world: World,
  work: (order: Message, partner: Party) => Promise<T>,
): Promise<T> => {
  const partner = buyer(world);
  const request = requestOf('Topup');
  const placed = async (): Promise<T> => {
    const pending = await eventually(async () => {
      await partner.call('CreateTopupOrder', request, BRIEFLY_MS).catch(() => undefined);
      const [order] = await world.list('ListAllOrders', { partner_id: partner.id });
      if (!order) throw new Error('the order is not there');
      return order;
    });
    return work(pending, partner);
  };
  return world.whileFailing('finance', 'reserveFunds', placed, partner.id);
};

/** A decision stands while finance is away, and is carried out once it is back. */
const financeAway = (method: string, status: string) =>
  passesOn<{ order: Message }>(
    'finance',
    method,
    ['SERVICE_UNAVAILABLE'],
    'finance away; the decision is carried out once it is back',
    (use, { order }) =>
      eventually(async () => expect(await timelineOf(use, order)).toMatchObject({ summary: { status } })),
  );

/** Of a scent order that was undone: its status and groups; its cart and its money are free, for the partner buys again. */
const undone = (
  arrange: (world: World) => Promise<{ partner: Party; order: Message }>,
  decision: Decision,
): Case =>
  waiting(async (use) => {
    const { partner, order } = await arrange(use);
    const { status, fulfillment_groups } = await decide(use, decision, order, {
      outcome: 'ORDER_STATUS_FAILED',
    });
    await paidScent(use, partner);
    return [status, fulfillment_groups];
  });

const uncommitted = (world: World) => parkedScent(world, 'commitCheckout');

const placedTwice = async (world: World) => {
  const partner = buyer(world);
  return [world, [await place(partner), await place(partner)]] as const;
};

/** What operators do with orders. */
export const orderOperations = service('OrderOperationsService', {
  ListAllOrders: lists(placedTwice, {
    'keeps to what waits for a person, and says why': waiting(async (use) => {
      const { partner, order } = await parkedScent(use);
      await place(partner).catch(() => undefined);
      expect(await use.list(use.rpc, { partner_id: partner.id, parked: true })).toEqual([order]);
      return order;
    }),
  }),
  SearchOrders: rpc(undefined, {
    'finds by ids and references, whole, newest first, at most so many': async (use) => {
      const order = await place(buyer(use));
      const { order_id, order_global_id, saga_id, vendor_order_id, external_reference, phone_number } = order;
      const texts = [order_id, order_global_id, saga_id, vendor_order_id, external_reference];
      await use.finds(use.rpc, { order_id }, texts);
      const newer = await place(buyer(use));
      const [newest, ...more] = await use.list(use.rpc, { text: phone_number, limit: 1 });
      expect([newest?.order_id, more]).toEqual([newer.order_id, []]);
    },
    'finds a scent order by its customer, and none that is not priced yet': waiting(async (use) => {
      const partner = buyer(use);
      const customer_ref = `customer of ${partner.id}`;
      const request = requestOf('Scent', 'completed', { customer_ref });
      const found = () => use.list(use.rpc, { text: customer_ref, limit: 20 });
      const tried = () => partner.call('CreateScentOrder', request).catch(found);
      expect(await use.whileFailing('scent-commerce', 'beginCheckout', tried, partner.id)).toEqual([]);
      const { order_id } = await eventually(() => partner.get('CreateScentOrder', request));
      expect(await found()).toMatchObject([{ order_id }]);
    }),
  }),
  GetOrderOverview: orderOverview,
  GetOrderTimeline: rpc(byOperators(placed()), {
    'shows the saga’s steps in order of time': async (use, { order }) => {
      const timeline = await timelineOf(use, order);
      const entries = timeline.entries as Message[];
      const times = entries.map(({ occurred_at }) => String(occurred_at));
      expect(times).toEqual([...times].sort());
      const steps = ['order.created', 'funds.reserve', 'vendor.submit'];
      expect(entries.map(({ step }) => step)).toEqual(expect.arrayContaining(steps));
      const OUTCOME = /^(Intent|Done|Refused|Pending|Unknown|Failed)$/;
      for (const { outcome } of entries) expect(outcome).toMatch(OUTCOME);
      return { ...timeline, entries: undefined, request_json: undefined };
    },
    'shows the values of its create, by the names of the partners’ API': async (use, { order }) => {
      const { request_json } = await timelineOf(use, order);
      expect(JSON.parse(String(request_json))).toMatchObject({
        phoneNumber: order.phone_number,
        amount: order.amount,
      });
    },
    'shows what waits for a person, and what can be decided': waiting(async (use) => {
      const { summary, decisions } = await timelineOf(use, (await uncommitted(use)).order);
      expect(summary).toMatchObject({ parked: [{ step: 'checkout.commit' }] });
      return decisions;
    }),
    'shows a decision on a group that waits for a person': waiting(async (use) => {
      const { partner, order, first } = await paidScent(use);
      const cancelled = async () => {
        await withGroup(use, 'Cancel', first).catch(() => undefined);
        return eventually(async () => {
          const { parked } = (await timelineOf(use, order)).summary as Message;
          expect(parked).toMatchObject([{ step: 'operator.cancel-group', subject_id: first.id }]);
          return parked;
        });
      };
      const of = [partner.id, 'INTERNAL_ERROR'] as const;
      const parked = await use.whileFailing('finance', 'refundUnits', cancelled, ...of);
      await withGroup(use, 'Cancel', first);
      return parked;
    }),
    'shows a scent order’s groups, and itself as it stands': async (use) => {
      const { order, first } = await paidScent(use);
      const shipped = await withGroup(use, 'Ship', first);
      expect((await timelineOf(use, order)).scent_order).toEqual(shipped);
    },
  }),
  ResolveOrder: operatorRpc(byOperators(placed('unknown', PRICES.Topup)), {
    'COMPLETED charges an order of which nobody knew what the vendor did': async (use, { order }) => {
      const resolved = await resolve(use, order, 'COMPLETED');
      const { entries } = await timelineOf(use, order);
      expect(entries).toContainEqual(expect.objectContaining({ step: 'operator.resolve' }));
      return [order, resolved];
    },
    'FAILED frees its money': async (use, { partner, order }) => [
      await resolve(use, order, 'FAILED'),
      (await place(partner)).status,
    ],
    'COMPLETED carries a scent order on from where it stands': waiting(
      async (use) => (await resolve(use, (await uncommitted(use)).order, 'COMPLETED')).status,
    ),
    'FAILED undoes a scent order, so that its cart and its money are free': undone(
      uncommitted,
      'ResolveOrder',
    ),
    'repeated at once, it is carried out once and both are replied to': async (_, { call }) => {
      // The second may come when the first is done already; then it is refused, and nothing else.
      const { replies, refusals } = await settled([call(), call()]);
      expect(replies).toEqual(replies.map(() => replies[0]));
      expect(refusals).toMatchObject(refusals.map(() => ({ code: 'CONFLICT_ORDER_STATE' })));
      return replies[0];
    },
    'an eSIM gets the activation data that are given where the vendor has none': async (use) => {
      const order = await place(buyer(use), 'Esim', 'unknown');
      const data = { esim_iccid: '8999', esim_qr_code: 'LPA:1$smdp$code', esim_activation_code: 'code' };
      expect(await resolve(use, order, 'COMPLETED', data)).toMatchObject({
        status: 'ORDER_STATUS_COMPLETED',
        esim_iccid: expect.any(String),
        esim_qr_code: expect.stringMatching(/^LPA:1\$/),
      });
    },
    'VALIDATION_FAILED: another outcome': { outcome: 'ORDER_STATUS_CANCELLED' },
    'CONFLICT_ORDER_STATE: an order that needs no decision': async (use, { call }) =>
      call(decisionOn(await place(buyer(use)))),
    ...financeAway('captureFunds', 'ORDER_STATUS_COMPLETED'),
  }),
  CancelOrder: operatorRpc(byOperators(paidScent), {
    'ends an order that is pending, before it goes to any vendor': waiting(async (use) =>
      withPending(use, (order) => decide(use, 'CancelOrder', order)),
    ),
    'is cancelled at once also with finance away': waiting(async (use) =>
      withPending(use, (order, { id }) =>
        use.whileFailing('finance', 'releaseFunds', () => decide(use, 'CancelOrder', order), id),
      ),
    ),
    'undoes a scent order that is not paid, so that its cart and its money are free': undone(
      parkedScent,
      'CancelOrder',
    ),
    'CONFLICT_ORDER_STATE: a paid scent order that needs an operator': waiting(async (use) =>
      decide(use, 'CancelOrder', (await uncommitted(use)).order),
    ),
    'cancels every open group of a scent order, and gives their money back': undone(
      (world) => paidScent(world, buyer(world, PRICES.Scent)),
      'CancelOrder',
    ),
    'CONFLICT_ORDER_STATE: a completed one': async (use, { call }) =>
      call(decisionOn(await place(buyer(use)))),
    'CONFLICT_ORDER_STATE: a scent order without an open group': async (use, { first, second, call }) => {
      for (const group of [first, second]) await handOver(use, group);
      return call();
    },
    'SERVICE_UNAVAILABLE: a scent order, with finance away': whileFailing('finance', 'refundUnits'),
  }),
  ReverseOrder: operatorRpc(byOperators(placed('completed', PRICES.Topup)), {
    'refunds a completed order': async (use, { partner, order }) => {
      const reversed = await decide(use, 'ReverseOrder', order);
      expect(reversed.completed_at).toBe(order.completed_at);
      return [reversed, (await place(partner)).status];
    },
    'CONFLICT_ORDER_STATE: one that failed': async (use) =>
      decide(use, 'ReverseOrder', await place(buyer(use), 'Topup', 'refused')),
    'CONFLICT_APPROVAL_REQUIRED: in live more than one operator may reverse; needs a vendor for live orders':
      UNREACHABLE,
    'CONFLICT_ORDER_STATE: a scent order': async (use) =>
      decide(use, 'ReverseOrder', (await paidScent(use)).order),
    ...financeAway('refundFunds', 'ORDER_STATUS_REVERSED'),
  }),
  FreeCheckout: operatorRpc((world) => [world, { order_global_id: withoutOrder('begun') }], {
    'undoes the checkout of an order that does not exist': async (_, { request, call }) => {
      await call();
      expect(shop.stateOf(String(request.order_global_id))).toBe('cancelled');
    },
    'CONFLICT_ORDER_STATE: one whose order exists': async (use, { call }) =>
      call({ order_global_id: (await paidScent(use)).order.order_global_id }),
    'CONFLICT_ORDER_STATE: one whose units were taken': (_, { call }) =>
      call({ order_global_id: withoutOrder('committed') }),
    'SERVICE_UNAVAILABLE: with scent-commerce away': (use, { call }) =>
      use.whileFailing('scent-commerce', 'cancelCheckout', () => call(), NOBODY),
  }),
});
