import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeFinance } from '@reseller/contract-testing';
import { OrderStatus } from '@reseller/contracts';
import { removeExpired } from '@reseller/database';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { retentionRules } from '../src/retention';
import { createJournalRetention, forgetJournals } from '../src/saga/journal-retention';
import { callOf, create, MIGRATIONS, operator, startOrders, topup } from './start-orders';

const DAY_MS = 86_400_000;
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());

async function removeOld(journalDays: number): Promise<void> {
  await removeExpired(
    retentionRules({
      OUTBOX_RETENTION_MS: DAY_MS,
      INBOX_RETENTION_MS: 14 * DAY_MS,
      RECONCILIATION_RETENTION_MS: 90 * DAY_MS,
      CREATE_RESULTS_RETENTION_MS: 1_000,
      VENDOR_JOURNAL_RETENTION_MS: 90 * DAY_MS,
    }),
    { pool: database.servicePool, log: silentLog },
  );
  await forgetJournals(database.servicePool, journalDays * DAY_MS);
}
const journalOf = async (orderId: string): Promise<number> =>
  (await database.pool.query('SELECT 1 FROM saga_steps WHERE order_id = $1', [orderId])).rowCount ?? 0;

/** An order of so many days ago, with a step of then. */
async function plant(daysAgo: number, state: 'Finished' | 'Active'): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `INSERT INTO sagas (order_id, state, lease_epoch, wake_at, journal)
     SELECT uuidv7(-make_interval(days => $1)), $2, 1, CASE WHEN $2 = 'Active' THEN now() + interval '1 day' END,
       (extract(epoch FROM now() - make_interval(days => $1)) * 1000000)::bigint || ' ["funds.reserve", 0, null, null]'
     RETURNING order_id AS id`,
    [daysAgo, state],
  );
  return rows[0]?.id ?? '';
}

describe('what orders-saga forgets', () => {
  it('when an order finished long ago, then its journal goes; that of one under way and of a younger one stay', async () => {
    const orders = [await plant(401, 'Finished'), await plant(401, 'Active'), await plant(399, 'Finished')];
    expect(await Promise.all(orders.map(journalOf))).toEqual([1, 1, 1]);
    await removeOld(400);
    expect(await Promise.all(orders.map(journalOf))).toEqual([0, 1, 1]);
  });

  it('when many orders finished long ago, then removing their journals rests longer than it works', async () => {
    await database.pool.query(
      `INSERT INTO sagas (order_id, state, lease_epoch, journal)
       SELECT uuidv7(interval '-401 days'), 'Finished', 1, '1 ["funds.reserve", 0, null, null]' FROM generate_series(1, 1500)`,
    );
    const taken: number[] = [];
    const released: number[] = [];
    const pool = database.servicePool;
    pool.on('acquire', () => taken.push(performance.now()));
    pool.on('release', () => released.push(performance.now()));
    const job = createJournalRetention({ pool, keepMs: 400 * DAY_MS, log: silentLog });
    job.start();
    job.wake();
    await eventually(() => expect(released.length).toBeGreaterThan(3));
    await job.stop();
    for (const turn of [0, 1, 2])
      expect(taken[turn + 1]! - released[turn]!).toBeGreaterThan(2 * (released[turn]! - taken[turn]!));
  });

  it('when a day is a week past, then the key that its recipients were hashed with goes, and a younger one stays', async () => {
    await database.pool.query(
      `INSERT INTO recipient_keys (day, key, created_at)
       SELECT now() - n * interval '1 day', sha256('key'), now() - n * interval '1 day' FROM unnest('{6,8}'::integer[]) AS n`,
    );
    await removeOld(400);
    const { rows } = await database.pool.query('SELECT now()::date - day AS days FROM recipient_keys');
    expect(rows).toEqual([{ days: 6 }]);
  });

  it('when the journal of a completed order is gone, then it can be reversed all the same (spec §4.4)', async () => {
    const finance = await new FakeFinance('1000.00').start();
    const service = await startOrders(database, finance);
    try {
      const order = await create(service, topup(), callOf());
      await database.pool.query(`UPDATE sagas SET journal = '' WHERE order_id = $1`, [order.orderId]);
      expect(await journalOf(order.orderId)).toBe(0);
      const { orderGlobalId } = order;
      // A busy machine may respond that it goes on.
      await service.operations
        .reverseOrder({ orderGlobalId, notes: 'late' }, operator)
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
        });
      await eventually(async () => {
        const { summary } = await service.operations.getOrderTimeline({ orderGlobalId }, operator);
        expect(summary?.status).toBe(OrderStatus.REVERSED);
      });
      expect(finance.available()).toBe('1000.00');
    } finally {
      await service.stop();
      await finance.stop();
    }
  });
});
