import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Checkout } from '@reseller/contracts';
import { eventually, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { CheckoutRepository, type StockLine } from '../src/checkout/checkout.repository';
import { addCode } from './discount-data';
import { callAs } from './scent-service';
import {
  createScentDatabase,
  newOwner,
  newVariants,
  ordersOf,
  stockOf,
  type TestCode,
} from './scent-database';

let database: TestDatabase;
let statements: string[];
let checkouts: CheckoutRepository;

beforeAll(async () => {
  database = await createScentDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  statements = [];
  const query = (statement: { name: string }) => {
    statements.push(statement.name);
    return database.pool.query(statement as never);
  };
  checkouts = new CheckoutRepository({ query } as unknown as Pool);
});

interface Draft {
  key: string;
  lines: StockLine[];
  code?: TestCode;
}

const newDraft = (variantId: string, quantity = 1, code?: TestCode): Draft => ({
  key: `SC-${randomUUID()}`,
  lines: [{ variantId, quantity }],
  ...(code && { code }),
});

/** Orders of one repository, whose carts are made ahead, so that they begin at the same time. */
async function ordersWithCarts(drafts: readonly Draft[], owner = newOwner()) {
  const orders = ordersOf(database.pool, owner, checkouts);
  for (const { key, lines } of drafts) await orders.fill(key, lines);
  return { ...orders, owner, begin: ({ key, lines, code }: Draft) => orders.begin(key, lines, code) };
}

const outcomesOf = (results: readonly { outcome: string }[]): string[] =>
  results.map(({ outcome }) => outcome);

describe('checkouts that come at the same time (spec §7.2)', () => {
  it('when they need different carts, then one statement begins them and one commits them, each in its environment', async () => {
    const variants = await newVariants(database.pool, [10, 10]);
    const drafts = Array.from({ length: 6 }, (_, n) => newDraft(variants[n % 2] ?? ''));
    const [sandbox, live] = [
      await ordersWithCarts(drafts.slice(0, 4)),
      await ordersWithCarts(drafts.slice(4), newOwner('live')),
    ];
    const ordersFor = (at: number) => (at < 4 ? sandbox : live);
    const begun = await Promise.all(drafts.map((draft, at) => ordersFor(at).begin(draft)));
    expect(outcomesOf(begun)).toEqual(drafts.map(() => 'Begun'));
    expect(statements).toEqual(['begin_checkouts_briefly']);
    expect(await stockOf(database.pool, variants)).toEqual(variants.map(() => ({ onHand: 10, reserved: 2 })));

    await Promise.all(drafts.map(({ key }, at) => ordersFor(at).commit(key)));
    expect(statements).toEqual(['begin_checkouts_briefly', 'commit_checkouts_briefly']);
    expect(await stockOf(database.pool, variants)).toEqual(variants.map(() => ({ onHand: 8, reserved: 0 })));
    expect(await stockOf(database.pool, variants, 'live')).toEqual(
      variants.map(() => ({ onHand: 9, reserved: 0 })),
    );
    const { rows } = await database.pool.query(
      `SELECT environment, t.units, d.units AS "ofToday" FROM sales_totals t JOIN daily_sales d USING (variant_id, environment)
       WHERE variant_id = ANY ($1) ORDER BY environment`,
      [variants],
    );
    expect(rows).toEqual([
      ...variants.map(() => ({ environment: 'live', units: 1, ofToday: 1 })),
      ...variants.map(() => ({ environment: 'sandbox', units: 2, ofToday: 2 })),
    ]);
  });

  it('when something stands against some of them, then these are refused with their reasons and the others begin', async () => {
    const [many = '', none = ''] = await newVariants(database.pool, [100, 0]);
    const drafts = [many, many, many, many, none].map((variantId) => newDraft(variantId));
    const [, known, gone, frozen] = drafts.map(({ key }) => key);
    const orders = await ordersWithCarts(drafts);
    await ordersOf(database.pool).cancel(known ?? '');
    await database.pool.query(`UPDATE carts SET status = 'Abandoned' WHERE customer_ref = $1`, [gone]);
    await database.pool.query(`UPDATE carts SET order_key = 'another' WHERE customer_ref = $1`, [frozen]);
    const results = await Promise.all(drafts.map(orders.begin));
    expect(statements).toEqual(['begin_checkouts_briefly']);
    expect(outcomesOf(results)).toEqual(['Begun', 'Known', 'Gone', 'Frozen', 'Short']);
    expect(results[4]).toEqual({ outcome: 'Short', short: [none] });
    expect(await stockOf(database.pool, [many, none])).toEqual([
      { onHand: 100, reserved: 1 },
      { onHand: 0, reserved: 0 },
    ]);
  });

  it('when there is not enough for all of them, then what is there goes to as many as it is enough for', async () => {
    const [variantId = ''] = await newVariants(database.pool, [3]);
    const drafts = [1, 1, 2, 1].map((quantity) => newDraft(variantId, quantity));
    const orders = await ordersWithCarts(drafts);
    expect(outcomesOf(await Promise.all(drafts.map(orders.begin)))).toEqual([
      'Begun',
      'Begun',
      'Short',
      'Begun',
    ]);
    expect(await stockOf(database.pool, [variantId])).toEqual([{ onHand: 3, reserved: 3 }]);
  });

  it('when they need the same cart or the same code, then one has the cart, and the code as many as its cap admits', async () => {
    const owner = newOwner('live');
    const [variantId = ''] = await newVariants(database.pool, [100]);
    const codeId = await addCode(database, callAs(owner.partnerId), { code: 'TWO', totalUsageCap: 2 });
    const drafts = Array.from({ length: 5 }, () => newDraft(variantId, 1, { codeId }));
    const orders = await ordersWithCarts(drafts, owner);
    const outcomes = outcomesOf(await Promise.all(drafts.map(orders.begin)));
    expect(outcomes.filter((outcome) => outcome === 'Begun')).toHaveLength(2);
    expect(outcomes.filter((outcome) => outcome === 'UsageCapReached')).toHaveLength(3);
    const held = drafts.filter((_, at) => outcomes[at] === 'Begun');
    await Promise.all(held.map(({ key }) => orders.commit(key)));
    const { rows } = await database.pool.query(
      'SELECT usage_count AS usage, pending_count AS pending FROM discount_codes WHERE id = $1',
      [codeId],
    );
    expect(rows).toEqual([{ usage: 2, pending: 0 }]);

    const free = newDraft(variantId);
    const cart = await (await ordersWithCarts([free], owner)).fill(free.key, free.lines);
    const begin = (orderKey: string) =>
      checkouts.begin(owner, {
        checkout: Checkout.fromPartial({ orderKey, cartId: cart }),
        cartVersion: '0',
      });
    expect(outcomesOf(await Promise.all(['one', 'two'].map(begin)))).toEqual(['Begun', 'Frozen']);
  });

  it('when some of those that are committed are not Begun or not the owner’s, then only the others are, once', async () => {
    const [variantId = ''] = await newVariants(database.pool, [10]);
    const drafts = [newDraft(variantId), newDraft(variantId), newDraft(variantId)];
    const owner = newOwner();
    const orders = await ordersWithCarts(drafts, owner);
    await Promise.all(drafts.map(orders.begin));
    const [first = '', cancelled = '', foreign = ''] = drafts.map(({ key }) => key);
    await orders.cancel(cancelled);
    const done = await Promise.all([
      checkouts.commit(owner, first),
      checkouts.commit(owner, first),
      checkouts.commit(owner, cancelled),
      checkouts.commit(newOwner(), foreign),
      checkouts.commit({ ...owner, environment: 'live' }, foreign),
      checkouts.commit(newOwner(), first),
      checkouts.commit(owner, 'never begun'),
    ]);
    expect(done).toEqual([true, true, false, false, false, false, false]);
    expect(statements.at(-1)).toBe('commit_checkouts_briefly');
    expect(await checkouts.commit(owner, first)).toBe(false);
    expect(await stockOf(database.pool, [variantId])).toEqual([{ onHand: 9, reserved: 1 }]);
  });

  it('when somebody holds what one of them needs, then only that one waits for it', async () => {
    const [free = '', held = ''] = await newVariants(database.pool, [10, 10]);
    const drafts = [free, held, free].map((variantId) => newDraft(variantId));
    const orders = await ordersWithCarts(drafts);
    const holder = await database.pool.connect();
    const hold = async (): Promise<void> => {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM stock_levels WHERE variant_id = $1 FOR UPDATE', [held]);
    };
    for (const step of [orders.begin, ({ key }: Draft) => checkouts.commit(orders.owner, key)]) {
      await hold();
      const [first, waiting, last] = drafts.map((draft) => step(draft) as Promise<unknown>);
      await Promise.all([first, last]);
      expect(statements).toHaveLength(4);
      statements = [];
      await holder.query('COMMIT');
      await waiting;
    }
    holder.release();
    expect(await stockOf(database.pool, [free, held])).toEqual([
      { onHand: 8, reserved: 0 },
      { onHand: 9, reserved: 0 },
    ]);
  });

  it('when several came one by one for what somebody holds, then others begin beside them', async () => {
    const [held = '', free = ''] = await newVariants(database.pool, [10, 10]);
    const drafts = [held, held, held, free].map((variantId) => newDraft(variantId));
    const orders = await ordersWithCarts(drafts);
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM stock_levels WHERE variant_id = $1 FOR UPDATE', [held]);
    const waiting: Promise<unknown>[] = [];
    for (const draft of drafts.slice(0, 3)) {
      waiting.push(orders.begin(draft));
      await eventually(async () => {
        const { rowCount } = await database.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        expect(rowCount).toBe(waiting.length);
      });
    }
    await orders.begin(drafts[3]!);
    await holder.query('COMMIT');
    await Promise.all(waiting);
    holder.release();
    expect((await stockOf(database.pool, [held, free])).map(({ reserved }) => reserved)).toEqual([3, 1]);
  });

  it('when nobody waits any more, then nothing begins and nothing is committed', async () => {
    const over = { deadlineAt: Date.now() - 1 };
    const owner = newOwner();
    const draft = { checkout: Checkout.fromPartial({ orderKey: 'late' }), cartVersion: '0' };
    await expect(checkouts.begin(owner, draft, over)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(checkouts.commit(owner, 'late', over)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(statements).toEqual([]);
  });
});
