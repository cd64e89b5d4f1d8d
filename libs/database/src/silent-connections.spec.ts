import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, silentLog, Wire, type TestDatabase } from '@reseller/testing';
import type { Pool } from 'pg';
import { createPool } from './create-pool';
import { isDatabaseUnavailable } from './database-errors';
import type { OpenClient } from './silent-connections';

describe('a database connection on which nothing comes back', () => {
  let database: TestDatabase;
  let way: Wire;
  let pool: Pool;
  let wide: Pool;
  // Without a limit for statements nothing else ends the wait.
  const settings = { name: 'test', log: silentLog, statementTimeoutMs: 0 };
  const layWire = () => {
    const { port, hostname } = new URL(database.url);
    return Wire.to(Number(port), hostname);
  };
  const endSleepers = () =>
    database.pool.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)'",
    );
  beforeAll(async () => {
    database = await createTestDatabase();
    way = await layWire();
    const connectionString = way.over(database.url);
    pool = createPool({ ...settings, connectionString, max: 1 });
    wide = createPool({ ...settings, connectionString, max: 2 });
  });
  afterAll(async () => {
    await Promise.all([pool.end(), wide.end()]);
    way.close();
    await database.drop();
  });

  it('when its statement waits for a lock, then it is kept though the server was queried about it', async () => {
    const holder = await database.pool.connect();
    await holder.query('SELECT pg_advisory_lock(1)');
    const waiting = pool.query('SELECT pg_backend_pid() AS pid, pg_advisory_lock(1)');
    await eventually(() => expect(way.connections).toBe(2));
    // Whoever queried is gone, and has its result.
    await eventually(async () => {
      const { rows } = await holder.query(
        "SELECT state FROM pg_stat_activity WHERE application_name = 'test'",
      );
      expect(rows).toEqual([{ state: 'active' }]);
    });
    await holder.query('SELECT pg_advisory_unlock(1)');
    holder.release();
    const { rows } = await waiting;
    expect((await pool.query('SELECT pg_backend_pid() AS pid')).rows[0]).toMatchObject({ pid: rows[0].pid });
  });

  it('when its address may lead to several servers, then none of them is queried about what another one does', async () => {
    const other = await layWire();
    const several = createPool({
      ...settings,
      connectionString: other.over(database.url),
      max: 1,
      mayLeadToSeveral: true,
    });
    const before = way.connections;
    const waiting = [several, pool].map((each) => each.query('SELECT pg_sleep(60)').catch(() => undefined));
    await eventually(() => expect(way.connections).toBeGreaterThanOrEqual(before + 2));
    expect(other.connections).toBe(1);
    await endSleepers();
    await Promise.all(waiting);
    await several.end();
    other.close();
  });

  it('when its result is there and its reader rests, as one that copies rows to a slow store, then it is kept', async () => {
    const reader = await wide.connect();
    try {
      const result = reader.query("SELECT repeat('x', 300000) AS text");
      const { stream } = (reader as OpenClient).connection;
      stream.pause();
      const before = way.connections;
      const other = wide.query('SELECT pg_sleep(60)');
      other.catch(() => undefined);
      // The second question comes when the first has had its consequences.
      await eventually(() => expect(way.connections).toBe(before + 3));
      await endSleepers();
      stream.resume();
      expect((await result).rows[0]?.text).toHaveLength(300_000);
    } finally {
      reader.release();
    }
  });

  it('when it was forgotten on the way, then its caller hears that the database is unavailable, and the next one is served', async () => {
    await pool.query('SELECT 1');
    way.forget();
    const failure: unknown = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(isDatabaseUnavailable(failure)).toBe(true);
    expect(await pool.query('SELECT 1')).toMatchObject({ rowCount: 1 });
  });
});
