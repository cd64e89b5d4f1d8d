import { describe, expect, it } from '@jest/globals';
import { OrderStatus } from '@reseller/contracts';
import { codeOf, eventually } from '@reseller/testing';
import { CRASH_POINTS } from '../src/crash-points';
import {
  APPROVAL_POINTS,
  CRASH_CELLS,
  ERASURE_POINTS,
  FAILOVER_POINTS,
  PARKING_POINTS,
  SCENT_POINTS,
  TASK_POINTS,
  type CrashCell,
} from './crash-cells';
import { activationOf, PRODUCTS, thousandLess, type TestProduct } from './products';
import { eventsOf, operator } from './start-orders';
import { itSurvives, useCrash, type Death } from './use-crash';

const stage = useCrash();

const count = async (sql: string, values: unknown[]): Promise<number> =>
  (await stage.database.pool.query<{ n: number }>(sql, values)).rows[0]?.n ?? -1;

const cellsOf = (way: CrashCell['by']): CrashCell[] => CRASH_CELLS.filter(({ by }) => by === way);

const created = (product: TestProduct, { point, vendor, ends }: CrashCell): Death => ({
  point,
  sentence: `when it dies at ${point} (vendor: ${vendor}), then the repeated create ends as ${ends} with one order, one charge, one delivery`,
  async begin() {
    const call = stage.buyer();
    const { partner } = call;
    const attempt = product.attempt(vendor);
    return {
      act: async (doomed) => expect(await codeOf(attempt.create(doomed, call))).toBe('SERVICE_UNAVAILABLE'),
      async check() {
        const order = await attempt.create(stage.survivor, call);
        const isCharged = ends === 'Completed';
        expect(order.status).toBe(isCharged ? OrderStatus.COMPLETED : OrderStatus.FAILED);
        expect(await attempt.create(stage.survivor, call)).toEqual(order);
        const orders = 'SELECT count(*)::int AS n FROM orders WHERE partner_id = $1';
        expect(await count(orders, [partner.partnerId])).toBe(1);
        expect(stage.finance.charges(partner)).toBe(isCharged ? 1 : 0);
        expect(stage.finance.available(partner)).toBe(isCharged ? thousandLess(product.amount) : '1000.00');
        const activation = activationOf(order).filter((value) => value !== undefined);
        expect(activation).toHaveLength(isCharged && product.name === 'Esim' ? 4 : 0);
        const delivered = 'SELECT sum(deliveries)::int AS n FROM vendor_journal WHERE idempotency_key = $1';
        expect(await count(delivered, [order.orderGlobalId])).toBe(isCharged ? 1 : 0);
        const events = await eventsOf(stage.database, order.orderId);
        expect(events.filter((type) => type !== 'OrderProcessingStarted')).toEqual([
          isCharged ? 'OrderCompleted' : 'OrderFailed',
        ]);
      },
    };
  },
});

const withdrawn = (product: TestProduct, { point }: CrashCell): Death => ({
  point,
  sentence: `when it dies at ${point}, then the refused order is gone and its reference free`,
  async begin() {
    const call = stage.buyer();
    const { partner } = call;
    const attempt = product.attempt();
    stage.finance.fail('reserveFunds', 'BUSINESS_INSUFFICIENT_BALANCE', 1, partner.partnerId);
    return {
      act: async (doomed) => expect(await codeOf(attempt.create(doomed, call))).toBe('SERVICE_UNAVAILABLE'),
      async check() {
        const order = await attempt.create(stage.survivor, call);
        expect(order.status).toBe(OrderStatus.COMPLETED);
        expect([stage.finance.charges(partner), stage.finance.count('held', partner)]).toEqual([1, 0]);
      },
    };
  },
});

const reversed = (product: TestProduct, { point }: CrashCell): Death => ({
  point,
  sentence: `when it dies at ${point} of an operator’s reversal, then the reversal is carried out once`,
  async begin() {
    const call = stage.buyer();
    const attempt = product.attempt();
    const order = await attempt.create(stage.survivor, call);
    const reverse = { orderGlobalId: order.orderGlobalId, notes: 'wrong number' };
    return {
      act: async ({ operations }) =>
        expect(await codeOf(operations.reverseOrder(reverse, operator))).toBe('SERVICE_UNAVAILABLE'),
      async check() {
        const now = await eventually(async () => {
          const read = await attempt.create(stage.survivor, call);
          expect(read.status).toBe(OrderStatus.REVERSED);
          return read;
        });
        expect(activationOf(now)).toEqual(activationOf(order));
        expect(stage.finance.available(call.partner)).toBe('1000.00');
        expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
      },
    };
  },
});

it('when the crash cells are counted, then every crash point has one', () => {
  const cells = CRASH_CELLS.map(({ point }) => point);
  const points = [
    ...cells,
    ...FAILOVER_POINTS,
    ...SCENT_POINTS,
    ...TASK_POINTS,
    ...PARKING_POINTS,
    ...APPROVAL_POINTS,
    ...ERASURE_POINTS,
  ];
  expect(new Set(points)).toEqual(new Set(CRASH_POINTS));
});

describe.each(PRODUCTS.map((product) => ({ name: product.name, product })))(
  'a process killed at a boundary of the saga of $name (spec §4.7)',
  ({ product }) =>
    itSurvives(stage, [
      ...cellsOf('create').map((cell) => created(product, cell)),
      ...cellsOf('withdrawal').map((cell) => withdrawn(product, cell)),
      ...cellsOf('reversal').map((cell) => reversed(product, cell)),
    ]),
);

describe('a process that is paused past its lease', () => {
  it.each(['reserveFunds', 'captureFunds'])(
    'when it wakes up in %s after another one has ended its order, then it changes nothing',
    async (method) => {
      const call = stage.buyer();
      const attempt = PRODUCTS[0]!.attempt();
      const paused = await stage.doom();
      const open = stage.finance.hold(method);
      const { [method]: before = 0 } = stage.finance.calls;
      const late = attempt.create(paused, call);
      await eventually(() => expect(stage.finance.calls[method]).toBeGreaterThan(before));
      paused.child.kill('SIGSTOP');
      await stage.lapseLeases();
      open();
      const order = await attempt.create(stage.survivor, call);
      expect(order.status).toBe(OrderStatus.COMPLETED);
      const journal = 'SELECT step, phase, outcome FROM saga_steps WHERE order_id = $1 ORDER BY seq';
      const { rows } = await stage.database.pool.query(journal, [order.orderId]);
      paused.child.kill('SIGCONT');
      expect(await late).toEqual(order);
      expect((await stage.database.pool.query(journal, [order.orderId])).rows).toEqual(rows);
      expect(stage.finance.charges(call.partner)).toBe(1);
      const entry = await stage.survivor.simulation.findJournalEntry(order.orderGlobalId);
      expect(entry?.submissions).toBe(1);
      expect(await eventsOf(stage.database, order.orderId)).toEqual([
        'OrderProcessingStarted',
        'OrderCompleted',
      ]);
    },
  );
});
