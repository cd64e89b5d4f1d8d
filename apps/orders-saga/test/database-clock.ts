import { FakeClock, type TestDatabase } from '@reseller/testing';

/** The clock of a test's database, which stands still until the test moves it. */
export interface DatabaseClock {
  now(): Date;
  /** Moves it on by milliseconds, for every session at once. */
  advance(ms: number): Promise<void>;
}

/**
 * Puts a clock of the test's own before PostgreSQL's: leases, polls and the 24-hour rule go by the database's clock, so
 * that hours pass without waiting and no code of the service knows. Call it before the service connects.
 */
export async function fakeDatabaseClock({ pool }: TestDatabase, start: string): Promise<DatabaseClock> {
  const clock = new FakeClock(start);
  await pool.query(`
    CREATE SCHEMA fake_clock;
    GRANT USAGE ON SCHEMA fake_clock TO PUBLIC;
    CREATE TABLE fake_clock.moment (at timestamptz NOT NULL);
    GRANT SELECT ON fake_clock.moment TO PUBLIC;
    INSERT INTO fake_clock.moment VALUES ('${clock.now().toISOString()}');
    CREATE FUNCTION fake_clock.now() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM fake_clock.moment';
    CREATE FUNCTION fake_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE
      AS 'SELECT at FROM fake_clock.moment'`);
  // pg_catalog is looked up first unless the path names it: named second, its clock is hidden by ours.
  const { rows } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  await pool.query(`ALTER DATABASE "${rows[0]!.name}" SET search_path = fake_clock, pg_catalog, public`);
  await renewConnections(pool);
  return {
    now: () => clock.now(),
    async advance(ms) {
      clock.advance(ms);
      await pool.query('UPDATE fake_clock.moment SET at = $1', [clock.now()]);
    },
  };
}

// A database's settings reach new sessions only.
async function renewConnections(pool: TestDatabase['pool']): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()));
  for (const client of clients) client.release(true);
}
