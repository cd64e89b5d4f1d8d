import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestDatabase } from '@reseller/testing';
import { CartRepository } from '../src/cart/cart.repository';
import type { CartOwner } from '../src/cart/cart-owner';
import { createScentDatabase, newOwner, newVariants } from './scent-database';

const HOUR_MS = 3_600_000;
let database: TestDatabase;
let carts: CartRepository;
beforeAll(async () => {
  database = await createScentDatabase();
  carts = new CartRepository(database.servicePool, 720 * HOUR_MS);
});
afterAll(() => database.drop());

const newCustomer = (): CartOwner => ({ ...newOwner(), path: undefined, customerRef: 'customer' });
const add = (owner: CartOwner, variantId: string) =>
  carts.change(owner, { kind: 'add', variantId, quantity: 1 });
const remove = () => carts.removeUnused(HOUR_MS, 100);
const age = (column: 'created_at' | 'touched_at', minutes: number) =>
  database.pool.query(`UPDATE carts SET ${column} = clock_timestamp() - $1 * interval '1 minute'`, [minutes]);

describe('a cart that never had a line (spec §14.4)', () => {
  it('when it was not used for an hour, then it is removed, and the next read makes another', async () => {
    const owner = newCustomer();
    const { id } = await carts.read(owner);
    await age('created_at', 90);
    await age('touched_at', 59);
    expect(await remove()).toBe(0);
    await age('touched_at', 61);
    expect((await carts.read(owner)).id).toBe(id);
    // The read was a use of it.
    expect(await remove()).toBe(0);
    await age('touched_at', 61);
    expect(await remove()).toBe(1);
    expect((await carts.read(owner)).id).not.toBe(id);
  });

  it('when a cart has lines, or had one, then it stays', async () => {
    const [variantId = ''] = await newVariants(database.pool, [5]);
    const [filled, emptied, filledLater] = [newCustomer(), newCustomer(), newCustomer()];
    await carts.read(filledLater);
    for (const owner of [filled, emptied, filledLater]) await add(owner, variantId);
    await carts.change(emptied, { kind: 'clear' });
    const ids = [filled, emptied, filledLater].map(async (owner) => (await carts.read(owner)).id);
    const before = await Promise.all(ids);
    await age('created_at', 90);
    await age('touched_at', 90);
    await remove();
    const { rowCount } = await database.pool.query('SELECT 1 FROM carts WHERE id = ANY ($1)', [before]);
    expect(rowCount).toBe(3);
  });

  it('when it is removed while it is read and filled, then nobody notices and no unit is lost', async () => {
    const [variantId = ''] = await newVariants(database.pool, [5]);
    const owners = Array.from({ length: 40 }, newCustomer);
    await Promise.all(owners.map((owner) => carts.read(owner)));
    await age('created_at', 90);
    await age('touched_at', 90);
    const [, ...filled] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, () => carts.removeUnused(HOUR_MS, 7))),
      ...owners.map(async (owner, at) => {
        if (at % 2 === 0) await carts.read(owner);
        return add(owner, variantId);
      }),
    ]);
    expect(filled).toEqual(
      owners.map(() =>
        expect.objectContaining({ lines: [expect.objectContaining({ variantId, quantity: 1 })] }),
      ),
    );
    expect(await remove()).toBe(0);
  });

  it('when very many carts are there, then only those that are over are read', async () => {
    await database.pool.query(
      `INSERT INTO carts (partner_id, environment, had_lines) SELECT uuidv7(), 'live', true FROM generate_series(1, 20000)`,
    );
    await database.pool.query(
      `INSERT INTO carts (partner_id, environment) SELECT uuidv7(), 'live' FROM generate_series(1, 20000)`,
    );
    await database.pool.query('ANALYZE carts');
    const { rows } = await database.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM carts WHERE status = 'Open' AND NOT had_lines
         AND created_at <= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY created_at LIMIT 500`,
      [HOUR_MS],
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('carts_never_filled');
  });
});
