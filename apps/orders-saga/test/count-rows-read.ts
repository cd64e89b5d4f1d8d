import { createPool } from '@reseller/database';
import { eventually, silentLog, type TestDatabase } from '@reseller/testing';
import type { Pool } from 'pg';

const READ_SO_FAR = `SELECT sum(seq_tup_read + idx_tup_fetch)::float8 AS read FROM pg_stat_user_tables WHERE relname = ANY ($1)`;

const OTHERS = `FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
  AND pid <> pg_backend_pid()`;

/** Sessions that idle hold back what they have read for up to ten seconds, and report it when they end; pools open others. */
async function endOthers(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ pid: number }>(`SELECT pid, pg_terminate_backend(pid) ${OTHERS}`);
  const pids = rows.map(({ pid }) => pid);
  await eventually(async () => {
    const left = await pool.query(`SELECT pid ${OTHERS} AND pid = ANY ($1)`, [pids]);
    if (left.rows.length > 0) throw new Error(`${left.rows.length} sessions have not ended`);
  });
}

/** How many rows of these tables some work reads on the one connection it is given, and what it returns. */
export async function countRowsRead<T>(
  { url }: TestDatabase,
  tables: readonly string[],
  work: (pool: Pool) => Promise<T>,
): Promise<{ result: T; rowsRead: number }> {
  const pool = createPool({ connectionString: url, max: 1, name: 'counted', log: silentLog });
  const readSoFar = async (): Promise<number> => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ read: number }>(READ_SO_FAR, [tables]);
    return rows[0]?.read ?? Number.NaN;
  };
  try {
    await endOthers(pool);
    const before = await readSoFar();
    const result = await work(pool);
    return { result, rowsRead: (await readSoFar()) - before };
  } finally {
    await pool.end();
  }
}
