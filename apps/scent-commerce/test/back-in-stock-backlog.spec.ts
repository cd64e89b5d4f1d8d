import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { VariantBackInStock } from '@reseller/contracts';
import { createPool } from '@reseller/database';
import { silentLog, type TestDatabase } from '@reseller/testing';
import type { Pool } from 'pg';
import { notifyRegistrations } from '../src/back-in-stock/notify-registrations';
import { RegistrationRepository } from '../src/back-in-stock/registration.repository';
import {
  createPrisma,
  createScentDatabase,
  newOwner,
  newVariants,
  racingPool,
  setOnHand,
} from './scent-database';

const OWNERS = 7;
let database: TestDatabase;
beforeAll(async () => {
  database = await createScentDatabase();
});
afterAll(() => database.drop());

/** Registers so many customers of several partners at once for a variant. */
const registerMany = (variantId: string, count: number) =>
  database.pool.query(
    `WITH owners AS (SELECT n, uuidv7() AS partner_id FROM generate_series(0, $3 - 1) n)
     INSERT INTO back_in_stock_registrations (partner_id, environment, variant_id, customer_ref)
     SELECT o.partner_id, 'live', $1, 'customer-' || m FROM generate_series(1, $2::int) m JOIN owners o ON o.n = m % $3`,
    [variantId, count, OWNERS],
  );

/** Which registrations of a variant its events name, in their order. */
async function notifiedOf(variantId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ payload: Buffer }>(
    'SELECT payload FROM outbox WHERE aggregate_id = $1 ORDER BY aggregate_seq',
    [variantId],
  );
  return rows.map(({ payload }) => VariantBackInStock.decode(payload).registrationId);
}

const registeredOf = async (variantId: string): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>(
    'SELECT id FROM back_in_stock_registrations WHERE variant_id = $1 ORDER BY position',
    [variantId],
  );
  return rows.map(({ id }) => id);
};

const countsAreRight = async (): Promise<boolean> => {
  const { rows } = await database.pool.query<{ wrong: number }>(
    `SELECT count(*)::int AS wrong FROM resource_counts c WHERE c.active_registrations <> (
       SELECT count(*) FROM back_in_stock_registrations r
       WHERE (r.partner_id, r.environment, r.status) = (c.partner_id, c.environment, 'Active'))`,
  );
  return rows[0]?.wrong === 0;
};

const CRASHES = 4;

/** Works until nothing is left, and a few times cuts off what the others are in the middle of. */
async function notifyWithCrashes(workers: Pool, worker: number): Promise<void> {
  for (let piece = 0; ; piece += 1) {
    if (piece % 5 === worker && piece < CRASHES * 5) {
      await database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
           AND application_name = 'workers' AND state <> 'idle'`,
      );
    }
    const hasMore = await notifyRegistrations(workers).catch(() => true);
    if (!hasMore && (await database.pool.query('SELECT 1 FROM stock_rises')).rowCount === 0) return;
  }
}

describe('a variant that many wait for (spec §6.10, §10.3)', () => {
  it('when workers die between and within pieces, then each registration has exactly one event, in the order they were made', async () => {
    const [many = '', few = ''] = await newVariants(database.pool, [0, 0]);
    await registerMany(many, 20_000);
    await registerMany(few, 30);
    await setOnHand(database.pool, many, 5);
    await setOnHand(database.pool, few, 5);
    const workers = createPool({
      connectionString: database.serviceUrl,
      max: 3,
      name: 'workers',
      log: silentLog,
    });
    await Promise.all([0, 1, 2].map((worker) => notifyWithCrashes(workers, worker)));
    await workers.end();
    for (const variantId of [many, few])
      expect(await notifiedOf(variantId)).toEqual(await registeredOf(variantId));
    expect(await countsAreRight()).toBe(true);
  }, 120_000);

  it('when a long one is under way, then its stock is free, and who waits for another variant is notified meanwhile', async () => {
    const [many = '', few = ''] = await newVariants(database.pool, [0, 0]);
    await registerMany(many, 3_000);
    await registerMany(few, 3);
    await setOnHand(database.pool, many, 5);
    await notifyRegistrations(database.servicePool, 100);
    const slow = await database.pool.connect();
    try {
      await slow.query('BEGIN');
      await slow.query('SELECT 1 FROM stock_rises WHERE variant_id = $1 FOR UPDATE', [many]);
      await setOnHand(database.pool, many, 0);
      await setOnHand(database.pool, many, 9);
      await setOnHand(database.pool, few, 1);
      expect(await notifyRegistrations(database.servicePool)).toBe(true);
      expect(await notifyRegistrations(database.servicePool)).toBe(false);
      expect(await notifiedOf(few)).toHaveLength(3);
    } finally {
      await slow.query('ROLLBACK');
      slow.release();
    }
    const late = new RegistrationRepository(createPrisma(database.servicePool), database.servicePool);
    const waiting = await late.register(newOwner(), { variantId: many, customerRef: undefined });
    while (await notifyRegistrations(database.servicePool));
    expect(waiting?.status).toBe('Active');
    expect(await notifiedOf(many)).toEqual((await registeredOf(many)).slice(0, -1));
  });

  it('when pieces, cancels and registrations meet, then the counts stay what is Active', async () => {
    const [variantId = ''] = await newVariants(database.pool, [0]);
    const owner = newOwner();
    const race = racingPool(database);
    const registrations = new RegistrationRepository(createPrisma(race.pool), race.pool);
    const register = (customerRef: string) => registrations.register(owner, { variantId, customerRef });
    const made = await Promise.all(Array.from({ length: 60 }, (_, at) => register(`c-${at}`)));
    await setOnHand(race.pool, variantId, 1);
    await Promise.all([
      ...made.map((one) => registrations.cancel(owner, one?.id ?? '')),
      ...Array.from({ length: 30 }, (_, at) => register(`c-${at}`)),
      ...Array.from({ length: 12 }, () => notifyRegistrations(race.pool, 7)),
    ]);
    expect(await race.end()).toBe(0);
    while (await notifyRegistrations(database.servicePool));
    expect(await countsAreRight()).toBe(true);
    const { rows } = await database.pool.query<{ status: string; id: string }>(
      `SELECT id FROM back_in_stock_registrations WHERE variant_id = $1 AND status = 'Notified'`,
      [variantId],
    );
    expect((await notifiedOf(variantId)).sort()).toEqual(rows.map(({ id }) => id).sort());
  });
});
