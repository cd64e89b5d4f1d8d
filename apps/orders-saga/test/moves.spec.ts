import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { v4 as uuid } from 'uuid';
import { ORDER_STATUSES, type OrderStatus } from '../src/order/domain/order';
import { PRODUCTS } from '../src/products';
import { SagaRepository } from '../src/saga/saga.repository';
import { MIGRATIONS } from './start-orders';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());

const INSERT = `INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product,
    external_reference, request, geo_scope_global_id, amount, currency, status, submitted_at, completed_at)
  SELECT $1, 'G', 'S', $1, 'P-1', 'sandbox', $2, 'ref', '{}', CASE $2::text WHEN 'Scent' THEN NULL ELSE 'GEO-SA' END, 10, 'SAR',
    $3, now(), now()`;

/** An order that came to its status by none of the moves. */
async function orderThatIs(status: OrderStatus, product: string): Promise<string> {
  const id = uuid();
  const client = await database.pool.connect();
  try {
    await client.query(`BEGIN; SET LOCAL session_replication_role = 'replica'`);
    await client.query(INSERT, [id, product, status]);
    await client.query(
      `INSERT INTO sagas (order_id, state, lease_owner, lease_epoch, lease_until, wake_at)
       SELECT $1, 'Active', 'me', 1, now() + '1 h', now() + '1 h'`,
      [id],
    );
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  return id;
}

const statusOf = async (id: string): Promise<string | undefined> =>
  (await database.pool.query<{ status: string }>('SELECT status FROM orders WHERE id = $1', [id])).rows[0]
    ?.status;

const refusal = { code: '23514', constraint: 'orders_moves' };

describe.each(PRODUCTS)('the statuses of a $name order in the database', ({ name: product, moves }) => {
  it.each(ORDER_STATUSES)(
    'when it is %s, then it goes where spec §4.4 let it and nowhere else, by plain SQL and by the saga’s function',
    async (from) => {
      const sagas = new SagaRepository(database.servicePool, { owner: 'me', ms: 60_000 }, PRODUCTS);
      for (const to of ORDER_STATUSES) {
        const isAllowed = from === to || moves[from]?.includes(to) === true;
        const id = await orderThatIs(from, product);
        const update = database.pool.query('UPDATE orders SET status = $2 WHERE id = $1', [id, to]);
        if (isAllowed) await update;
        else await expect(update).rejects.toMatchObject(refusal);
        expect(await statusOf(id)).toBe(isAllowed ? to : from);

        const other = await orderThatIs(from, product);
        const advance = sagas.advance({
          order: { id: other, status: from, details: {} },
          epoch: '1',
          to,
          entries: [{ step: 'vendor.submit', attempt: 0, phase: 'intent', outcome: null, details: null }],
          next: 'Hold',
        });
        if (isAllowed) expect(await advance).toMatchObject({ status: to });
        else await expect(advance).rejects.toMatchObject(refusal);
        expect(await statusOf(other)).toBe(isAllowed ? to : from);
        const { rowCount } = await database.pool.query('SELECT FROM saga_steps WHERE order_id = $1', [other]);
        expect(rowCount).toBe(isAllowed ? 1 : 0);
      }
    },
  );

  it.each(ORDER_STATUSES)(
    'when it is %s, then it is born and taken back as Pending only, and keeps its product',
    async (status) => {
      const id = uuid();
      const born = database.pool.query(INSERT, [id, product, status]);
      if (status === 'Pending') await born;
      else await expect(born).rejects.toMatchObject(refusal);

      const there = await orderThatIs(status, product);
      const other = database.pool.query('UPDATE orders SET product = $2 WHERE id = $1', [
        there,
        product === 'Topup' ? 'Esim' : 'Topup',
      ]);
      // Of what a scent order has none an order has besides, which is seen first.
      await expect(other).rejects.toMatchObject(product === 'Scent' ? { code: refusal.code } : refusal);
      const deleted = database.pool.query('DELETE FROM orders WHERE id = $1', [there]);
      if (status === 'Pending') await deleted;
      else await expect(deleted).rejects.toMatchObject(refusal);
      expect(await statusOf(there)).toBe(status === 'Pending' ? undefined : status);
    },
  );
});
