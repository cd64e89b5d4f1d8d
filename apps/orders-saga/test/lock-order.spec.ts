import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPool } from '@reseller/database';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import type { Pool, QueryConfig } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { NewOrder, Order } from '../src/order/domain/order';
import { PRODUCTS } from '../src/products';
import { OwnerRepository } from '../src/saga/owner.repository';
import { SagaRepository } from '../src/saga/saga.repository';
import { newOrder } from './new-order';
import { MIGRATIONS } from './start-orders';

const LEASE_MS = 600_000;
const PARTNER = uuidv7();
/** As many as a batch holds. */
const BATCH = 64;
const ROUNDS = 15;

let database: TestDatabase;
let pool: Pool;
let instances: SagaRepository[];
let owners: OwnerRepository;

beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());
beforeEach(() => {
  // Deadlocks are found at once, so that many rounds take no time.
  const connectionString = `${database.url}?options=-c%20deadlock_timeout%3D5ms`;
  pool = createPool({ connectionString, max: 10, name: 'lock-order', log: silentLog });
  owners = new OwnerRepository(pool, { connectionString, leaseMs: 60_000, log: silentLog });
  instances = ['one', 'two'].map((owner) => new SagaRepository(pool, { owner, ms: LEASE_MS }, PRODUCTS));
});

/** How many PostgreSQL has counted; what the repositories' sessions did is counted once they have ended. */
async function deadlocks(): Promise<number> {
  await Promise.all([pool.end(), owners.close()]);
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT deadlocks::integer AS n FROM pg_stat_database WHERE datname = current_database()',
  );
  return rows[0]?.n ?? Number.NaN;
}

const orderOf = (externalReference: string): NewOrder => newOrder({ partnerId: PARTNER, externalReference });

const references = (round: string): string[] => Array.from({ length: BATCH }, (_, n) => `${round}-${n}`);
const begin = (instance: SagaRepository, names: string[]): Promise<(Order | undefined)[]> =>
  Promise.all(names.map((name) => instance.begin(orderOf(name))));

describe('the order of locks (ADR 0012)', () => {
  it('when two instances write the same sagas in opposite orders while leases are renewed, then none deadlocks', async () => {
    const orders = (await begin(instances[0]!, references('moved'))).flatMap((order) => order ?? []);
    expect(orders).toHaveLength(BATCH);
    const leases = orders.map(({ id }) => ({ orderId: id, epoch: '1' }));
    for (let round = 0; round < ROUNDS; round += 1) {
      const advance = (instance: SagaRepository, order: Order): Promise<unknown> =>
        instance.advance({ order, epoch: '1', to: 'Pending', entries: [], next: 'Hold' });
      await Promise.all([
        ...orders.map((order) => advance(instances[0]!, order)),
        ...orders.toReversed().map((order) => advance(instances[1]!, order)),
        owners.renewLeases(leases.toReversed(), LEASE_MS),
        owners.renewLeases(leases, LEASE_MS),
      ]);
    }
    expect(await deadlocks()).toBe(0);
  });

  it('when the sagas of a batch are due in another order than that of their keys, then they are locked by key', async () => {
    const batches: string[] = [];
    const listening = new Proxy(pool, {
      get: (real, name) => {
        const value: unknown = Reflect.get(real, name);
        if (name !== 'query') return value;
        return (config: QueryConfig) => {
          if (config.name?.startsWith('saga_advance')) batches.push(String(config.values?.[0]));
          return real.query(config);
        };
      },
    });
    const repository = new SagaRepository(listening, { owner: 'one', ms: LEASE_MS }, PRODUCTS);
    const orders = (await begin(repository, references('due'))).flatMap((order) => order ?? []);
    const last = orders
      .map(({ id }) => id)
      .sort()
      .at(-1);
    await pool.query(`UPDATE sagas SET wake_at = now() - ranked.place * interval '1 s' FROM (
      SELECT order_id, row_number() OVER (ORDER BY order_id) AS place FROM sagas) AS ranked
      WHERE ranked.order_id = sagas.order_id`);
    await Promise.all(
      orders.map((order) =>
        repository.advance({ order, epoch: '1', to: 'Pending', entries: [], next: 'Hold' }),
      ),
    );

    const [holder, mover] = [await pool.connect(), await pool.connect()];
    await holder.query('BEGIN');
    await holder.query('SELECT FROM sagas WHERE order_id = $1 FOR UPDATE', [last]);
    const { rows } = await mover.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const moved = mover.query('SELECT n FROM advance_sagas($1)', [batches.at(-1)]);
    await eventually(async () =>
      expect(
        (await pool.query('SELECT FROM pg_locks WHERE pid = $1 AND NOT granted', [rows[0]?.pid])).rowCount,
      ).toBe(1),
    );
    const free = await pool.query('SELECT FROM sagas WHERE order_id = ANY ($1) FOR UPDATE SKIP LOCKED', [
      orders.map(({ id }) => id),
    ]);
    expect(free.rowCount).toBe(0);
    await holder.query('ROLLBACK');
    expect((await moved).rowCount).toBe(BATCH);
    holder.release();
    mover.release();
    await Promise.all([pool.end(), owners.close()]);
  });

  it('when two instances begin orders of the same references in opposite orders, then each is made once and none deadlocks', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const names = references(`begun-${round}`);
      const made = await Promise.all([begin(instances[0]!, names), begin(instances[1]!, names.toReversed())]);
      expect(made.flat().filter((order) => order)).toHaveLength(BATCH);
    }
    expect(await deadlocks()).toBe(0);
  });
});
