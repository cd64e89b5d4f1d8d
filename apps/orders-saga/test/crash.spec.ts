import { describe, expect, it } from '@jest/globals';
import { OrderStatus } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { eventually } from '@reseller/testing';
import { CRASH_POINTS, type CrashPoint } from '../src/crash-points';
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
import { activationOf, PRODUCTS, thousandLess, type Attempt } from './products';
import { callOf, eventsOf, operator } from './start-orders';
import { useCrash } from './use-crash';

const stage = useCrash();

const count = async (sql: string, values: unknown[]): Promise<number> =>
  (await stage.database.pool.query<{ n: number }>(sql, values)).rows[0]?.n ?? -1;

async function dieAt(point: CrashPoint, attempt: Attempt, call: CallContext): Promise<void> {
  const doomed = await stage.doom(point);
  await expect(attempt.create(doomed, call)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await stage.untilDead();
  await stage.lapseLeases();
}

/** The cells of a way that are a product's turn: each takes a start of its own, and `npm run crash-matrix` has every product in each. */
const cellsOf = (way: CrashCell['by'], turn: number): CrashCell[] =>
  CRASH_CELLS.filter(({ by }) => by === way).filter((_, at) => at % PRODUCTS.length === turn);
const pointsOf = (way: CrashCell['by'], turn: number): CrashPoint[] =>
  cellsOf(way, turn).map(({ point }) => point);

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

describe.each(PRODUCTS.map((product, turn) => ({ name: product.name, product, turn })))(
  'a process killed at a boundary of the saga of $name (spec §4.7)',
  ({ product, turn }) => {
    it.each(cellsOf('create', turn).map(({ point, vendor, ends }) => [point, vendor, ends] as const))(
      'when it dies at %s (vendor: %s), then the repeated create ends as %s with one order, one charge, one delivery',
      async (point, scenario, ends) => {
        const call = callOf();
        const attempt = product.attempt(scenario);
        const { partnerId } = call.partner!;
        await dieAt(point, attempt, call);
        const order = await attempt.create(stage.survivor, call);
        const isCharged = ends === 'Completed';
        expect(order.status).toBe(isCharged ? OrderStatus.COMPLETED : OrderStatus.FAILED);
        expect(await attempt.create(stage.survivor, call)).toEqual(order);
        expect(await count('SELECT count(*)::int AS n FROM orders WHERE partner_id = $1', [partnerId])).toBe(
          1,
        );
        expect(stage.finance.charges()).toBe(isCharged ? 1 : 0);
        expect(stage.finance.available()).toBe(isCharged ? thousandLess(product.amount) : '1000.00');
        const hasActivation = isCharged && product.name === 'Esim';
        expect(activationOf(order).filter((value) => value !== undefined)).toHaveLength(
          hasActivation ? 4 : 0,
        );
        const delivered = 'SELECT sum(deliveries)::int AS n FROM vendor_journal WHERE idempotency_key = $1';
        expect(await count(delivered, [order.orderGlobalId])).toBe(stage.finance.charges());
        expect(await eventsOf(stage.database, order.orderId)).toContain(
          isCharged ? 'OrderCompleted' : 'OrderFailed',
        );
        expect(
          (await eventsOf(stage.database, order.orderId)).filter((type) => type !== 'OrderProcessingStarted'),
        ).toHaveLength(1);
      },
    );

    it.each(pointsOf('withdrawal', turn))(
      'when it dies at %s, then the refused order is gone and its reference free',
      async (point) => {
        const call = callOf();
        const attempt = product.attempt();
        stage.finance.fail('reserveFunds', 'BUSINESS_INSUFFICIENT_BALANCE', 1);
        await dieAt(point, attempt, call);
        const order = await attempt.create(stage.survivor, call);
        expect(order.status).toBe(OrderStatus.COMPLETED);
        expect(stage.finance.charges()).toBe(1);
        expect(stage.finance.count('held')).toBe(0);
      },
    );

    it.each(pointsOf('reversal', turn))(
      'when it dies at %s of an operator’s reversal, then the reversal is carried out once',
      async (point) => {
        const call = callOf();
        const attempt = product.attempt();
        const order = await attempt.create(stage.survivor, call);
        const doomed = await stage.doom(point);
        const reverse = { orderGlobalId: order.orderGlobalId, notes: 'wrong number' };
        await expect(doomed.operations.reverseOrder(reverse, operator)).rejects.toMatchObject({
          code: 'SERVICE_UNAVAILABLE',
        });
        await stage.untilDead();
        await stage.lapseLeases();
        const reversed = await eventually(async () => {
          const read = await attempt.create(stage.survivor, call);
          expect(read.status).toBe(OrderStatus.REVERSED);
          return read;
        });
        expect(activationOf(reversed)).toEqual(activationOf(order));
        expect(stage.finance.available()).toBe('1000.00');
        expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
      },
    );
  },
);

describe('a process that is paused past its lease', () => {
  it.each(['reserveFunds', 'captureFunds'])(
    'when it wakes up in %s after another one has ended its order, then it changes nothing',
    async (method) => {
      const call = callOf();
      const attempt = PRODUCTS[0]!.attempt();
      const paused = await stage.doom();
      const open = stage.finance.hold(method);
      const late = attempt.create(paused, call);
      await eventually(() => expect(stage.finance.calls[method]).toBeGreaterThan(0));
      paused.child.kill('SIGSTOP');
      await stage.lapseLeases();
      open();
      const order = await attempt.create(stage.survivor, call);
      expect(order.status).toBe(OrderStatus.COMPLETED);
      const journal = 'SELECT step, phase, outcome FROM saga_steps WHERE order_id = $1 ORDER BY seq';
      const before = await stage.database.pool.query(journal, [order.orderId]);
      paused.child.kill('SIGCONT');
      expect(await late).toEqual(order);
      expect((await stage.database.pool.query(journal, [order.orderId])).rows).toEqual(before.rows);
      expect(stage.finance.charges()).toBe(1);
      const entry = await stage.survivor.simulation.findJournalEntry(order.orderGlobalId);
      expect(entry?.submissions).toBe(1);
      expect(await eventsOf(stage.database, order.orderId)).toEqual([
        'OrderProcessingStarted',
        'OrderCompleted',
      ]);
    },
  );
});
