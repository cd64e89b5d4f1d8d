import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { say } from '../bench/measure';

const LOCK_TIMEOUT_MS = 1_000;
const ROWS_A_BATCH = 5_000;
/** Of the time that a batch took. */
const PAUSE = 1;
const MOST_BATCHES = 200;

const isLocked = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03';

/** More than each row's entries once more says that a back-fill's dead entries are not used again. */
const INDEX_LIMIT = 2;
const SIZES = `SELECT pg_table_size('orders')::float8 AS rows, pg_indexes_size('orders')::float8 AS indexes`;

interface Sizes {
  readonly rows: number;
  readonly indexes: number;
}

/**
 * Changes the largest table as a version's migrations and its job do (docs/platform/migrations.md): a column is added, filled in
 * batches, given an index without holding writers up, and dropped again. Returns what it left behind that it should not have.
 */
export async function migrateUnderLoad(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const sizes = async (): Promise<Sizes> =>
    (await client.query<Sizes>(SIZES)).rows[0] ?? { rows: Number.NaN, indexes: Number.NaN };
  const timed = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now();
    await work();
    say(`  ${what}: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  };
  try {
    const before = await sizes();
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await timed('a column is added', () =>
      patiently(client, 'ALTER TABLE orders ADD COLUMN drill_note text'),
    );
    let filled = 0;
    await timed('it is filled', async () => (filled = await backfill(client)));
    say(`    in ${filled} rows`);
    await timed('an index is built', () =>
      waiting(
        client,
        'CREATE INDEX CONCURRENTLY drill_note_idx ON orders (drill_note) WHERE drill_note IS NOT NULL',
      ),
    );
    await timed('the table is vacuumed', () => client.query('VACUUM (ANALYZE) orders'));
    await timed('index and column are dropped', async () => {
      await waiting(client, 'DROP INDEX CONCURRENTLY drill_note_idx');
      await patiently(client, 'ALTER TABLE orders DROP COLUMN drill_note');
    });
    const after = await sizes();
    const mb = (bytes: number): string => (bytes / 1e6).toFixed(0);
    say(
      `  orders take ${mb(before.rows)} MB and then ${mb(after.rows)}, their indexes ${mb(before.indexes)} and then ${mb(after.indexes)}`,
    );
    const growth = after.indexes / before.indexes;
    return growth > INDEX_LIMIT ? [`indexes of orders take ${growth.toFixed(2)} of what they did`] : [];
  } finally {
    await client.end();
  }
}

/** Steps back from a lock that is not to be had, and comes again. */
async function patiently(client: pg.Client, sql: string): Promise<void> {
  for (;;) {
    try {
      return void (await client.query(sql));
    } catch (error) {
      if (!isLocked(error)) throw error;
      await pause(200);
    }
  }
}

/** What holds nobody up may wait for transactions that began before it, a vacuum among them, however long they take. */
async function waiting(client: pg.Client, sql: string): Promise<void> {
  await client.query('SET lock_timeout = 0');
  await client.query(sql);
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
}

const FILL = `
  WITH batch AS (SELECT id FROM orders WHERE id > $1 ORDER BY id LIMIT ${ROWS_A_BATCH}),
  filled AS (UPDATE orders SET drill_note = 'filled' FROM batch WHERE orders.id = batch.id RETURNING 1)
  SELECT (SELECT count(*)::int FROM filled) AS rows, (SELECT id FROM batch ORDER BY id DESC LIMIT 1) AS last`;

async function backfill(client: pg.Client): Promise<number> {
  let after = '00000000-0000-0000-0000-000000000000';
  let filled = 0;
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const startedAt = performance.now();
    const { rows } = await client.query<{ rows: number; last: string | null }>(FILL, [after]);
    const [{ rows: count, last } = { rows: 0, last: null }] = rows;
    if (last === null) break;
    filled += count;
    after = last;
    await pause((performance.now() - startedAt) * PAUSE);
  }
  return filled;
}
