import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, silentLog, type TestDatabase } from '@reseller/testing';
import { Client } from 'pg';
import { createPool } from './create-pool';
import { databaseAddress, directAddress } from './database-address';
import { keepRoleLimits } from './role-limits';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  // A server that others keep has the zone of its machine.
  await database.pool.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET timezone = %L', current_database(), 'Asia/Riyadh'); END $$`,
  );
});
afterAll(() => database.drop());

/** The limits that a connection has which asks for nothing. */
async function limits(): Promise<unknown> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    `SELECT name, setting FROM pg_settings
     WHERE name IN ('TimeZone', 'statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')
     ORDER BY name COLLATE "C"`,
  );
  await client.end();
  return rows.map(({ name, setting }) => `${name} ${setting}`);
}

describe('the limits of a role', () => {
  it('when a service goes through a pooler, then whatever connection its role opens has them', async () => {
    const before = await limits();
    await keepRoleLimits({ connectionString: database.url });
    expect(await limits()).toEqual(before);
    const address = {
      connectionString: 'postgresql://nobody@127.0.0.1:1/nowhere',
      pooler: 'transaction',
      directConnectionString: database.url,
    } as const;
    await Promise.all(Array.from({ length: 8 }, () => keepRoleLimits(address)));
    const { rows } = await database.pool.query<{ major: number }>(
      "SELECT current_setting('server_version_num')::int / 10000 AS major",
    );
    expect(await limits()).toEqual([
      'TimeZone UTC',
      'idle_in_transaction_session_timeout 30000',
      'statement_timeout 15000',
      ...((rows[0]?.major ?? 0) >= 17 ? ['transaction_timeout 60000'] : []),
    ]);
  });

  it('when a service has connections of its own, then they are in UTC, by which moments are read, whatever the zone of the database', async () => {
    const pool = createPool({
      connectionString: database.url,
      max: 1,
      name: 'another zone',
      log: silentLog,
    });
    expect((await pool.query('SHOW timezone')).rows).toEqual([{ TimeZone: 'UTC' }]);
    await pool.end();
  });

  it('when a pooler is named and no way past it, then there is no address, and none for a session', () => {
    const DATABASE_URL = 'postgresql://u@pooler/d';
    expect(() => databaseAddress({ DATABASE_URL, DATABASE_POOLER: 'transaction' })).toThrow(
      'DATABASE_DIRECT_URL is missing',
    );
    expect(() => directAddress({ connectionString: DATABASE_URL, pooler: 'transaction' })).toThrow(
      'past the pooler',
    );
    const DATABASE_DIRECT_URL = 'postgresql://u@server/d';
    expect(directAddress(databaseAddress({ DATABASE_URL, DATABASE_DIRECT_URL }))).toBe(DATABASE_DIRECT_URL);
    expect(directAddress(databaseAddress({ DATABASE_URL }))).toBe(DATABASE_URL);
  });
});
