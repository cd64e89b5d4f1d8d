import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createPool } from '@reseller/database';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { v4 as uuid } from 'uuid';
import type { NewOrder } from '../src/order/domain/order';
import { PRODUCTS } from '../src/products';
import { SagaRepository } from '../src/saga/saga.repository';
import { newOrder } from './new-order';
import { MIGRATIONS } from './start-orders';

const LEASE = { owner: 'one', ms: 60_000 };
let database: TestDatabase;
let sagas: SagaRepository;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
  sagas = new SagaRepository(database.servicePool, LEASE, PRODUCTS);
});
afterAll(() => database.drop());

const PARTNER = '00000000-0000-4000-8000-000000000001';
const orderOf = (externalReference: string, id = uuid()): NewOrder =>
  newOrder({ id, partnerId: PARTNER, externalReference });

/** How many statements wait for a lock. */
const countWaiting = async (): Promise<number | null> =>
  (
    await database.pool.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    )
  ).rowCount;

/** The database as a process sees it that freezes when it hears that rows were deleted. */
function freezing(db: Pool, froze: () => void): Pool {
  const heard = async (sent: Promise<QueryResult>): Promise<QueryResult> => {
    const result = await sent;
    if (result.command !== 'DELETE' || result.rowCount === 0) return result;
    froze();
    return new Promise(() => undefined);
  };
  const connect = async () => {
    const client = await db.connect();
    const query = (config: QueryConfig) => heard(client.query(config));
    return new Proxy(client, { get: (_, name) => (name === 'query' ? query : Reflect.get(client, name)) });
  };
  return { connect, query: (config: QueryConfig) => heard(db.query(config)) } as unknown as Pool;
}

describe('an order that is withdrawn', () => {
  it('when its process freezes as soon as it is deleted, then others make theirs under its reference', async () => {
    const order = orderOf('withdrawn');
    await sagas.begin(order);
    const own = createPool({ connectionString: database.serviceUrl, max: 1, name: 'frozen', log: silentLog });
    await new Promise<void>((froze) => {
      void new SagaRepository(freezing(own, froze), LEASE, PRODUCTS).withdraw(order.id, '1');
    });
    const made = await Promise.all([sagas.begin(orderOf('withdrawn')), sagas.begin(orderOf('another'))]);
    expect(made).not.toContain(undefined);
    void own.end();
  });

  it.each([
    ['renews its lease', 'UPDATE sagas SET lease_until = now() WHERE order_id = $1', true],
    ['takes it over', 'UPDATE sagas SET lease_epoch = 2 WHERE order_id = $1', false],
    [
      'moves it on',
      `WITH held AS (SELECT FROM sagas WHERE order_id = $1 FOR UPDATE)
       UPDATE orders SET status = 'Processing' WHERE id = $1 AND EXISTS (TABLE held)`,
      false,
    ],
  ])('when somebody %s at that moment, then it goes as a whole or not at all', async (_, change, goes) => {
    const order = orderOf(`at that moment ${uuid()}`);
    await sagas.begin(order);
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(change, [order.id]);
      const withdrawn = sagas.withdraw(order.id, '1');
      await eventually(async () => expect(await countWaiting()).toBe(1));
      await holder.query('COMMIT');
      expect(await withdrawn).toBe(goes);
    } finally {
      holder.release(true);
    }
    const { rows } = await database.pool.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM orders WHERE id = $1)::int + (SELECT count(*) FROM sagas WHERE order_id = $1)::int AS left`,
      [order.id],
    );
    expect(rows).toEqual([{ left: goes ? 0 : 2 }]);
  });

  it('when somebody holds references for long, then only the orders under those wait, however they came', async () => {
    const references = ['held-1', 'held-2', 'held-3'];
    for (const reference of references) await sagas.begin(orderOf(reference));
    const holder = await database.pool.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('DELETE FROM orders WHERE external_reference = ANY ($1)', [references]);
      const held: Promise<unknown>[] = [];
      for (const reference of references) {
        held.push(sagas.begin(orderOf(reference)));
        await eventually(async () => expect(await countWaiting()).toBe(held.length));
      }
      const others = await Promise.all(['a', 'b'].map((name) => sagas.begin(orderOf(`beside-${name}`))));
      expect(others).not.toContain(undefined);
      await holder.query('COMMIT');
      expect(await Promise.all(held)).not.toContain(undefined);
    } finally {
      holder.release(true);
    }
  });
});
