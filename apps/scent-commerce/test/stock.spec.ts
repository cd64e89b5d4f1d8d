import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTransaction } from '@reseller/database';
import type { TestDatabase } from '@reseller/testing';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import {
  pinStock,
  releaseLapsedStock,
  releaseStock,
  reserveStock,
  restockUnits,
  takeStock,
  type StockLine,
} from '../src/stock/stock.repository';
import { createShopDatabase, newVariants, stockOf } from './shop-database';

let database: TestDatabase;
beforeAll(async () => {
  database = await createShopDatabase();
});
afterAll(() => database.drop());

/** In a transaction that is never tried again: a deadlock shows. */
const once = <T>(work: (tx: Parameters<typeof takeStock>[0]) => Promise<T>): Promise<T> =>
  withTransaction(database.pool, work, { attempts: 1 });
const reserve = (orderKey: string, lines: StockLine[], ttlMs?: number) =>
  once((tx) => reserveStock(tx, { orderKey, lines, ttlMs }));
const take = (orderKey: string) => once((tx) => takeStock(tx, orderKey));
const release = (orderKey: string) => once((tx) => releaseStock(tx, orderKey));
const restock = (orderKey: string, returnKey: string, lines: StockLine[]) =>
  once((tx) => restockUnits(tx, { orderKey, returnKey, lines }));
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: { code?: unknown }) => error.code,
  );
const linesOf = (variantIds: string[], ...quantities: number[]): StockLine[] =>
  quantities.map((quantity, index) => ({ variantId: variantIds[index] ?? '', quantity }));

/** What is reserved of each variant, and what its Active holds come to: always the same. */
async function reservedAndHeld(variantIds: string[]): Promise<[number, number][]> {
  const { rows } = await database.pool.query<{ reserved: number; held: number }>(
    `SELECT t.reserved, coalesce((SELECT sum(r.quantity) FROM stock_reservations r JOIN stock_holds h USING (order_key)
                                  WHERE r.variant_id = t.variant_id AND h.state = 'Active'), 0)::int AS held
     FROM variant_stock t WHERE t.variant_id = ANY ($1)`,
    [variantIds],
  );
  return rows.map(({ reserved, held }) => [reserved, held]);
}

describe('stock of orders', () => {
  it('when one line is short, then none is held, and each short one is told with what there is', async () => {
    const ids = await newVariants(database.pool, [5, 1, 0]);
    const [, one = '', none = ''] = ids;
    const shortages = await reserve(randomUUID(), linesOf(ids, 2, 2, 1));
    expect(shortages).toEqual([
      { variantId: one, available: 1 },
      { variantId: none, available: 0 },
    ]);
    expect(await stockOf(database.pool, ids)).toMatchObject([
      { reserved: 0 },
      { reserved: 0 },
      { reserved: 0 },
    ]);
  });

  it('when a variant is inactive or unknown, then nothing of it can be had', async () => {
    const [id = ''] = await newVariants(database.pool, [5]);
    await database.pool.query('UPDATE variants SET is_active = false WHERE id = $1', [id]);
    const unknown = randomUUID();
    expect(await reserve(randomUUID(), linesOf([id, unknown], 1, 1))).toEqual([
      { variantId: id, available: 0 },
      { variantId: unknown, available: 0 },
    ]);
  });

  it('when an order is taken and a group of it cancelled, then each unit is counted where it is', async () => {
    const ids = await newVariants(database.pool, [10, 10]);
    const order = randomUUID();
    expect(await reserve(order, linesOf(ids, 3, 2))).toEqual([]);
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 10, reserved: 3 },
      { onHand: 10, reserved: 2 },
    ]);
    await take(order);
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 7, reserved: 0 },
      { onHand: 8, reserved: 0 },
    ]);
    const sold = await database.pool.query(
      'SELECT units FROM variant_sales WHERE variant_id = ANY ($1) ORDER BY variant_id',
      [ids],
    );
    expect(sold.rows).toEqual([{ units: 3 }, { units: 2 }]);
    await restock(order, 'group', linesOf(ids, 2));
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 9, reserved: 0 },
      { onHand: 8, reserved: 0 },
    ]);
    // No more than was taken, and none of it in part.
    expect(await codeOf(restock(order, 'more', linesOf(ids, 2, 1)))).toBe('CONFLICT_ORDER_STATE');
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
    expect(await repeat(() => reserve(order, lines))).toEqual(Array.from({ length: 8 }, () => []));
    expect(await codeOf(reserve(order, linesOf(ids, 1, 3)))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(reserve(order, linesOf(ids, 1)))).toBe('CONFLICT_ORDER_STATE');
    expect(await stockOf(database.pool, ids)).toMatchObject([{ reserved: 1 }, { reserved: 2 }]);
    await repeat(() => take(order));
    expect(await reserve(order, lines)).toEqual([]);
    expect(await codeOf(release(order))).toBe('CONFLICT_ORDER_STATE');
    await repeat(() => restock(order, 'group', lines));
    expect(await stockOf(database.pool, ids)).toEqual([
      { onHand: 10, reserved: 0 },
      { onHand: 10, reserved: 0 },
    ]);
  });

  it('when an order is released, before or after it was reserved, then its key reserves and takes nothing any more', async () => {
    const ids = await newVariants(database.pool, [10]);
    const early = randomUUID();
    const late = randomUUID();
    await reserve(late, linesOf(ids, 4));
    await Promise.all([release(early), release(late), release(late)]);
    for (const order of [early, late]) {
      expect(await codeOf(reserve(order, linesOf(ids, 4)))).toBe('CONFLICT_ORDER_STATE');
      expect(await codeOf(take(order))).toBe('CONFLICT_ORDER_STATE');
      expect(await codeOf(restock(order, 'group', linesOf(ids, 1)))).toBe('CONFLICT_ORDER_STATE');
    }
    expect(await codeOf(take(randomUUID()))).toBe('CONFLICT_ORDER_STATE');
    expect(await stockOf(database.pool, ids)).toEqual([{ onHand: 10, reserved: 0 }]);
  });

  it('when a hold lapses, then its units can be had again; one that was pinned or has no end keeps them', async () => {
    const ids = await newVariants(database.pool, [6]);
    const [brief, pinned, endless] = [randomUUID(), randomUUID(), randomUUID()] as const;
    await reserve(brief, linesOf(ids, 2), 1);
    await reserve(pinned, linesOf(ids, 2), 60_000);
    await reserve(endless, linesOf(ids, 2));
    await once((tx) => pinStock(tx, pinned));
    // As if a quarter of an hour had gone by.
    await database.pool.query(
      "UPDATE stock_holds SET expires_at = expires_at - interval '1 hour' WHERE expires_at < 'infinity'",
    );
    expect(await reserve(randomUUID(), linesOf(ids, 2))).toEqual([]);
    expect(await reserve(randomUUID(), linesOf(ids, 1))).toEqual([{ variantId: ids[0], available: 0 }]);
    expect(await codeOf(take(brief))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(once((tx) => pinStock(tx, brief)))).toBe('CONFLICT_ORDER_STATE');
    await Promise.all([take(pinned), take(endless)]);

    const other = await newVariants(database.pool, [3]);
    await reserve(randomUUID(), linesOf(other, 3), 1);
    await database.pool.query(
      "UPDATE stock_holds SET expires_at = expires_at - interval '1 hour' WHERE expires_at < 'infinity'",
    );
    expect(await releaseLapsedStock(database.pool, 10)).toBe(1);
    expect(await stockOf(database.pool, other)).toEqual([{ onHand: 3, reserved: 0 }]);
  });

  it('when a hundred orders race for the last units in any order of lines, then all that can be sold is, once, and nobody deadlocks', async () => {
    const ids = await newVariants(database.pool, [30, 30, 30]);
    const orders = Array.from({ length: 100 }, (_, n) => ({
      key: randomUUID(),
      lines: linesOf(n % 2 ? ids : [...ids].reverse(), 1, 1, 1),
    }));
    const short = await Promise.all(orders.map(({ key, lines }) => reserve(key, lines)));
    const held = orders.filter((_order, index) => short[index]?.length === 0);
    expect(held).toHaveLength(30);
    // Half of them are sold while the others give way and new ones come.
    const sold = held.slice(0, 15);
    const more = Array.from({ length: 40 }, () => randomUUID());
    const [late] = await Promise.all([
      Promise.all(more.map((key, n) => reserve(key, linesOf(n % 2 ? [...ids].reverse() : ids, 1, 1, 1)))),
      ...sold.map(({ key }) => take(key)),
      ...held.slice(15).map(({ key }) => release(key)),
    ]);
    const won = late.filter(({ length }) => length === 0).length;
    expect(won).toBeLessThanOrEqual(15);
    expect(await stockOf(database.pool, ids)).toEqual(ids.map(() => ({ onHand: 15, reserved: won })));
    for (const [reserved, sum] of await reservedAndHeld(ids)) expect(reserved).toBe(sum);
  });

  it('when orders come, end and overlap as they like, then stock is never oversold and reserved is what Active holds come to', async () => {
    const step = fc.record({
      order: fc.integer({ min: 0, max: 5 }),
      move: fc.constantFrom('reserve', 'take', 'release', 'restock', 'lapse'),
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
          if (move === 'reserve') return reserve(key, lines, order % 2 ? 1 : undefined);
          if (move === 'take') return take(key);
          if (move === 'release') return release(key);
          if (move === 'restock') return restock(key, `${key} group`, lines);
          return releaseLapsedStock(database.pool, 10);
        };
        for (const round of rounds) {
          // Moves of one round run at once; only the refusals that they may answer are taken.
          for (const outcome of await Promise.all(round.map((one) => codeOf(run(one))))) {
            expect(['ok', 'CONFLICT_ORDER_STATE']).toContain(outcome);
          }
          for (const [reserved, sum] of await reservedAndHeld(ids)) expect(reserved).toBe(sum);
        }
        const { rows } = await database.pool.query<{ out: number }>(
          `SELECT (4 - t.on_hand - coalesce((SELECT sum(r.quantity - r.restocked) FROM stock_reservations r JOIN stock_holds h USING (order_key)
                                             WHERE r.variant_id = t.variant_id AND h.state = 'Taken'), 0))::int AS out
           FROM variant_stock t WHERE t.variant_id = ANY ($1)`,
          [ids],
        );
        expect(rows).toEqual([{ out: 0 }, { out: 0 }, { out: 0 }]);
      }),
      { numRuns: 25 },
    );
  });
});
