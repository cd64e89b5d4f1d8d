import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, type TestDatabase } from '@reseller/testing';
import { Registry } from 'prom-client';
import { observeBacklogs } from './backlogs';
import { createPool } from './create-pool';
import { isDatabaseUnavailable } from './database-errors';
import { majorOf } from './older-servers';
import { transactionAges } from './transaction-ages';
import { withTransaction } from './with-transaction';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('transactions that stay open', () => {
  it('when one of ours takes too long, then the server ends it, its caller may try again, and the next one works', async () => {
    // A server before 17 has no such limit.
    if ((await majorOf(database.pool)) < 17) return;
    const pool = createPool({
      connectionString: database.url,
      max: 1,
      name: 'slow',
      log: silentLog,
      transactionTimeoutMs: 200,
    });
    try {
      const slow = withTransaction(pool, async (tx) => {
        // Each statement is short and the session is never idle for long: no other limit ends it.
        for (;;) await tx.query('SELECT pg_sleep(0.05)');
      });
      expect(isDatabaseUnavailable(await slow.catch((error: unknown) => error))).toBe(true);
      expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await pool.end();
    }
  });

  it('when somebody holds a snapshot, then the metrics say for how long and over how many transactions', async () => {
    const metrics = new Registry();
    observeBacklogs({ pool: database.pool, metrics, log: silentLog }, [{ ...transactionAges, keepMs: 0 }]);
    const { rows } = await database.pool.query<{ name: string }>('SELECT current_database() AS name');
    const valueOf = async (metric: string): Promise<number> => {
      const text = await metrics.metrics();
      return Number(
        new RegExp(`^${metric}{database="${rows[0]?.name}",holder="session"} (.*)$`, 'm').exec(text)?.[1],
      );
    };
    expect(await valueOf('database_oldest_xmin_transactions')).toBeLessThan(5);
    const dump = await database.pool.connect();
    await dump.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await dump.query('SELECT count(*) FROM pg_class');
    for (let n = 0; n < 20; n += 1) await database.pool.query('CREATE TABLE t (n int); DROP TABLE t');
    await eventually(async () => {
      expect(await valueOf('database_oldest_xmin_transactions')).toBeGreaterThanOrEqual(20);
      expect(await valueOf('database_oldest_transaction_seconds')).toBeGreaterThan(0.2);
    });
    await dump.query('COMMIT');
    dump.release();
    await eventually(async () => expect(await valueOf('database_oldest_xmin_transactions')).toBeLessThan(5));
  });
});
