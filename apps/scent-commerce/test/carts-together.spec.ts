import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import type { Pool } from 'pg';
import type { CartOwner } from '../src/cart/cart-owner';
import { CartRepository } from '../src/cart/cart.repository';
import { createScentDatabase, newOwner, newVariants } from './scent-database';

const IDLE_MS = 86_400_000;
let database: TestDatabase;
let variants: string[];
let statements: string[];
let carts: CartRepository;

beforeAll(async () => {
  database = await createScentDatabase();
  variants = await newVariants(database.pool, [5, 5]);
});
afterAll(() => database.drop());
beforeEach(() => {
  statements = [];
  const query = (statement: { name: string }) => {
    statements.push(statement.name);
    return database.pool.query(statement as never);
  };
  carts = new CartRepository({ query } as unknown as Pool, IDLE_MS);
});

const customers = (count: number): CartOwner[] => {
  const partner = newOwner();
  return Array.from({ length: count }, (_, n) => ({ ...partner, path: undefined, customerRef: `c${n}` }));
};
const add = (owner: CartOwner, variantId = variants[0] ?? '', quantity = 1) =>
  carts.change(owner, { kind: 'add', variantId, quantity });
const linesOf = async (owner: CartOwner): Promise<[string, number][]> =>
  (await carts.read(owner)).lines.map(({ variantId, quantity }) => [variantId, quantity]);
const change = (owner: CartOwner, changes: string): Promise<unknown> =>
  database.pool.query(
    `UPDATE carts SET ${changes} WHERE partner_id = $1 AND customer_ref = $2 AND status = 'Open'`,
    [owner.partnerId, owner.customerRef],
  );

describe('carts that are used at the same time', () => {
  it('when different carts are added to and read, then each takes one statement, and each customer gets its own cart', async () => {
    const owners = customers(20);
    const added = await Promise.all(owners.map((owner, n) => add(owner, variants[n % 2], n + 1)));
    expect(statements).toEqual(['add_to_carts']);
    const again = await Promise.all(owners.map((owner) => add(owner)));
    expect(statements).toEqual(['add_to_carts', 'add_to_carts']);
    const read = await Promise.all(owners.map((owner) => carts.read(owner)));
    expect(statements).toEqual(['add_to_carts', 'add_to_carts', 'read_carts']);
    expect(new Set(read.map(({ id }) => id)).size).toBe(20);
    expect(read.map(({ id }) => id)).toEqual(added.map((cart) => (cart as { id: string }).id));
    expect(read).toEqual(again.map((cart, n) => ({ ...(cart as object), pricedAt: read[n]?.pricedAt })));
    const [even, odd] = variants as [string, string];
    expect(read.map(({ lines }) => lines.map(({ variantId, quantity }) => [variantId, quantity]))).toEqual(
      owners.map((_, n) =>
        n % 2 === 0
          ? [[even, n + 2]]
          : [
              [odd, n + 1],
              [even, 1],
            ],
      ),
    );
    expect(read.every(({ version }) => version === '2')).toBe(true);
  });

  it('when one cart is added to many times at once, then every add counts', async () => {
    const owners = customers(2);
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => add(owners[n % 2]!, variants[n % 3 === 0 ? 0 : 1])),
    );
    for (const owner of owners) {
      expect(new Map(await linesOf(owner))).toEqual(
        new Map([
          [variants[0], 5],
          [variants[1], 10],
        ]),
      );
      expect((await carts.read(owner)).version).toBe('15');
    }
  });

  it('when something stands against some of them, then these are refused with their reasons and the others are added to', async () => {
    const [fine, fresh, frozen, full, crowded, idle, unknown] = customers(7) as [
      CartOwner,
      CartOwner,
      CartOwner,
      CartOwner,
      CartOwner,
      CartOwner,
      CartOwner,
    ];
    await Promise.all([fine, frozen, full, crowded, idle].map((owner) => add(owner)));
    await add(full, variants[0], 998);
    await change(frozen, `order_key = 'order'`);
    await change(crowded, 'line_count = 100');
    await change(idle, `touched_at = clock_timestamp() - interval '2 days'`);
    const other = variants[1] ?? '';
    const outcomes = await Promise.all([
      add(fine),
      add(fresh),
      add(frozen),
      add(full),
      add(crowded, other),
      add(idle, other),
      add(unknown, crypto.randomUUID()),
    ]);
    expect(
      outcomes.map((outcome) =>
        typeof outcome === 'string' ? outcome : outcome.lines.map(({ quantity }) => quantity),
      ),
    ).toEqual([[2], [1], 'Frozen', 'TooManyUnits', 'TooManyLines', [1], 'NoVariant']);
    expect(await linesOf(idle)).toEqual([[other, 1]]);
    // However long its order takes, a held cart does not count as idle.
    await change(frozen, `touched_at = clock_timestamp() - interval '2 days'`);
    expect(await add(frozen)).toBe('Frozen');
    expect((await carts.read(frozen)).orderKey).toBe('order');
  });

  it('when a cart is locked by somebody else, then only its own add waits', async () => {
    const [locked, free] = customers(2) as [CartOwner, CartOwner];
    await add(locked);
    const holder = await database.pool.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT FROM carts WHERE partner_id = $1 FOR UPDATE', [locked.partnerId]);
    const waiting = add(locked);
    const [cart] = await Promise.all([add(free)]);
    expect(cart).toMatchObject({ lines: [{ quantity: 1 }] });
    await holder.query('COMMIT');
    holder.release();
    expect(await waiting).toMatchObject({ lines: [{ quantity: 2 }] });
  });

  it('when nobody waits for a cart any more, then it is neither changed nor read', async () => {
    const [owner] = customers(1) as [CartOwner];
    const over = { deadlineAt: Date.now() - 1 };
    await expect(
      carts.change(owner, { kind: 'add', variantId: variants[0] ?? '', quantity: 1 }, over),
    ).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    await expect(carts.read(owner, over)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(statements).toEqual([]);
  });
});
