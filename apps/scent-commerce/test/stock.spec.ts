import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, type TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { StockLine } from '../src/checkout/checkout.repository';
import { createScentDatabase, newOwner, newVariants, ordersOf, stockOf } from './scent-database';

let database: TestDatabase;
let orders: ReturnType<typeof ordersOf>;
beforeAll(async () => {
  database = await createScentDatabase();
  // A deadlock is never resolved, so that its test runs out of time.
  await database.pool.query(
    `SELECT set_config('deadlock_timeout', '1h', false);
     DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET deadlock_timeout = %L', current_database(), '1h'); END $$`,
  );
  orders = ordersOf(database.servicePool);
});
afterAll(() => database.drop());

const outcomeOf = async (orderKey: string, lines: StockLine[]): Promise<string> =>
  (await orders.begin(orderKey, lines)).outcome;
const linesOf = (variantIds: string[], ...quantities: number[]): StockLine[] =>
  quantities.map((quantity, index) => ({ variantId: variantIds[index] ?? '', quantity }));

/** What is reserved of each variant, and what the checkouts that are Begun come to: always the same. */
async function reservedAndHeld(variantIds: string[]): Promise<[number, number][]> {
  const { rows } = await database.pool.query<{ reserved: number; held: number }>(
    `SELECT t.reserved, coalesce((SELECT sum(r.quantity) FROM stock_reservations r JOIN checkouts k USING (order_key)
                                  WHERE r.variant_id = t.variant_id AND k.state = 'Begun'), 0)::int AS held
     FROM stock_levels t WHERE t.variant_id = ANY ($1) AND t.environment = 'sandbox'`,
    [variantIds],
  );
  return rows.map(({ reserved, held }) => [reserved, held]);
}

describe('stock of orders', () => {
  it('when one line is short, then none is held, and each short one is named', async () => {
    const ids = await newVariants(database.pool, [5, 1, 0]);
    const [, one = '', none = ''] = ids;
    const result = await orders.begin(randomUUID(), linesOf(ids, 2, 2, 1));
    expect(result).toEqual({ outcome: 'Short', short: [one, none] });
    expect(await stockOf(database.pool, ids)).toMatchObject([
      { reserved: 0 },
      { reserved: 0 },
      { reserved: 0 },
    ]);
  });

  it('when a variant is inactive, then nothing of it can be had', async () => {
    const [id = ''] = await newVariants(database.pool, [5]);
    await database.pool.query('UPDATE variants SET is_active = false WHERE id = $1', [id]);
    const result = await orders.begin(randomUUID(), linesOf([id], 1));
    expect(result).toEqual({ outcome: 'Short', short: [id] });
  });

  it('when a checkout gives its units back, then only what had none left counts as restocked', async () => {
    const ids = await newVariants(database.pool, [2, 3]);
    const order = randomUUID();
    expect(await outcomeOf(order, linesOf(ids, 2, 2))).toBe('Begun');
    await orders.cancel(order);
    const { rows } = await database.pool.query(
      `SELECT restocked_at IS NOT NULL AS "isRestocked" FROM stock_levels
       WHERE variant_id = ANY ($1::uuid[]) AND environment = 'sandbox' ORDER BY array_position($1::uuid[], variant_id)`,
      [ids],
    );
    expect(rows).toEqual([{ isRestocked: true }, { isRestocked: false }]);
  });

  it('when an order is committed and a group of it cancelled, then each unit is counted where it is', async () => {
    const ids = await newVariants(database.pool, [10, 10]);
    const order = randomUUID();
    expect(await outcomeOf(order, linesOf(ids, 3, 2))).toBe('Begun');
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 10, reserved: 3 },
      { onHand: 10, reserved: 2 },
    ]);
    await orders.commit(order);
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 7, reserved: 0 },
      { onHand: 8, reserved: 0 },
    ]);
    const sold = await database.pool.query(
      `SELECT units FROM daily_sales WHERE variant_id = ANY ($1) AND environment = 'sandbox' ORDER BY variant_id`,
      [ids],
    );
    expect(sold.rows).toEqual([{ units: 3 }, { units: 2 }]);
    await orders.restock(order, 'group', linesOf(ids, 2));
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 9, reserved: 0 },
      { onHand: 8, reserved: 0 },
    ]);
    // No more than was bought, and none of it in part.
    expect(await codeOf(orders.restock(order, 'more', linesOf(ids, 2, 1)))).toBe('CONFLICT_ORDER_STATE');
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 9, reserved: 0 },
      { onHand: 8, reserved: 0 },
    ]);
  });

  it('when each step is repeated, also at once, then it has its effect once', async () => {
    const ids = await newVariants(database.pool, [10, 10]);
    const order = randomUUID();
    const lines = linesOf(ids, 1, 2);
    const repeat = (step: () => Promise<unknown>) => Promise.all(Array.from({ length: 8 }, step));
    const begun = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(order, lines)));
    expect(begun.sort()).toEqual(['Begun', ...Array.from({ length: 7 }, () => 'Known')]);
    expect(await stockOf(database.pool, ids)).toMatchObject([{ reserved: 1 }, { reserved: 2 }]);
    await repeat(() => orders.commit(order));
    expect(await outcomeOf(order, lines)).toBe('Known');
    expect(await codeOf(orders.cancel(order))).toBe('CONFLICT_ORDER_STATE');
    await repeat(() => orders.restock(order, 'group', lines));
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 10, reserved: 0 },
      { onHand: 10, reserved: 0 },
    ]);
  });

  it('when an order is cancelled, before or after it began, then its key holds and takes nothing any more', async () => {
    const ids = await newVariants(database.pool, [10]);
    const early = randomUUID();
    const late = randomUUID();
    await orders.begin(late, linesOf(ids, 4));
    await Promise.all([orders.cancel(early), orders.cancel(late), orders.cancel(late)]);
    for (const order of [early, late]) {
      expect(await outcomeOf(order, linesOf(ids, 4))).toBe('Known');
      expect(await codeOf(orders.commit(order))).toBe('CONFLICT_ORDER_STATE');
      expect(await codeOf(orders.restock(order, 'group', linesOf(ids, 1)))).toBe('CONFLICT_ORDER_STATE');
    }
    expect(await codeOf(orders.commit(randomUUID()))).toBe('CONFLICT_ORDER_STATE');
    expect(await stockOf(database.pool, ids)).toEqual([{ onHand: 10, reserved: 0 }]);
  });

  it('when another partner, or the owner in the other environment, names an order, then nothing of it moves', async () => {
    const ids = await newVariants(database.pool, [10]);
    const owner = newOwner();
    const own = ordersOf(database.servicePool, owner);
    const [begun, committed] = [randomUUID(), randomUUID()];
    for (const order of [begun, committed]) await own.begin(order, linesOf(ids, 3));
    await own.commit(committed);
    for (const other of [newOwner(), newOwner('live'), { ...owner, environment: 'live' as const }]) {
      const foreign = ordersOf(database.servicePool, other);
      const codes = [
        await codeOf(foreign.cancel(begun)),
        await codeOf(foreign.restock(committed, 'group', linesOf(ids, 3))),
      ];
      expect(codes).toEqual(['CONFLICT_IDEMPOTENCY_KEY_REUSED', 'CONFLICT_IDEMPOTENCY_KEY_REUSED']);
    }
    expect(await stockOf(database.pool, ids)).toEqual([{ onHand: 7, reserved: 3 }]);
    expect(await stockOf(database.pool, ids, 'live')).toEqual([{ onHand: 10, reserved: 0 }]);
    await own.commit(begun);
    expect(await stockOf(database.pool, ids)).toEqual([{ onHand: 4, reserved: 0 }]);
  });

  it('when a hundred orders race for the last units in any order of lines, then all that can be sold is, once, and nobody deadlocks', async () => {
    const ids = await newVariants(database.pool, [30, 30, 30]);
    const racing = Array.from({ length: 100 }, (_, n) => ({
      key: randomUUID(),
      lines: linesOf(n % 2 ? ids : [...ids].reverse(), 1, 1, 1),
    }));
    const outcomes = await Promise.all(racing.map(({ key, lines }) => outcomeOf(key, lines)));
    const held = racing.filter((_order, index) => outcomes[index] === 'Begun');
    expect(held).toHaveLength(30);
    // Half of them are sold while the others give way and new ones come.
    const sold = held.slice(0, 15);
    const more = Array.from({ length: 40 }, () => randomUUID());
    const [late] = await Promise.all([
      Promise.all(more.map((key, n) => outcomeOf(key, linesOf(n % 2 ? [...ids].reverse() : ids, 1, 1, 1)))),
      ...sold.map(({ key }) => orders.commit(key)),
      ...held.slice(15).map(({ key }) => orders.cancel(key)),
    ]);
    const won = late.filter((outcome) => outcome === 'Begun').length;
    expect(won).toBeLessThanOrEqual(15);
    expect(await stockOf(database.pool, ids)).toEqual(ids.map(() => ({ onHand: 15, reserved: won })));
    for (const [reserved, sum] of await reservedAndHeld(ids)) expect(reserved).toBe(sum);
  });

  it('when orders come, end and overlap as they like, then stock is never oversold and reserved is what begun checkouts come to', async () => {
    const step = fc.record({
      order: fc.integer({ min: 0, max: 5 }),
      move: fc.constantFrom('begin', 'commit', 'cancel', 'restock'),
    });
    const quantities = fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 3 });
    const script = fc.tuple(
      fc.array(quantities, { minLength: 6, maxLength: 6 }),
      fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { maxLength: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(script, async ([carts, rounds]) => {
        const ids = await newVariants(database.pool, [4, 4, 4]);
        const keys = carts.map(() => randomUUID());
        const run = async ({ order, move }: { order: number; move: string }): Promise<unknown> => {
          const key = keys[order] ?? '';
          const lines = linesOf(ids, ...(carts[order] ?? []));
          if (move === 'begin') return orders.begin(key, lines);
          if (move === 'commit') return orders.commit(key);
          if (move === 'cancel') return orders.cancel(key);
          return orders.restock(key, 'group', lines);
        };
        for (const round of rounds) {
          // Moves of one round run at once; only refusals that they may have are accepted.
          for (const outcome of await Promise.all(round.map((one) => codeOf(run(one))))) {
            expect(['ok', 'CONFLICT_ORDER_STATE']).toContain(outcome);
          }
          for (const [reserved, sum] of await reservedAndHeld(ids)) expect(reserved).toBe(sum);
        }
        const { rows } = await database.pool.query<{ out: number }>(
          `SELECT (4 - t.on_hand - coalesce((SELECT sum(r.quantity - r.restocked) FROM stock_reservations r JOIN checkouts k USING (order_key)
                                             WHERE r.variant_id = t.variant_id AND k.state = 'Committed'), 0))::int AS out
           FROM stock_levels t WHERE t.variant_id = ANY ($1) AND t.environment = 'sandbox'`,
          [ids],
        );
        expect(rows).toEqual([{ out: 0 }, { out: 0 }, { out: 0 }]);
      }),
      { numRuns: 25 },
    );
  });
});
