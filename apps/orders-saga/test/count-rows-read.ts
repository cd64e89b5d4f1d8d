import { createPool } from '@reseller/database';
import { silentLog, type TestDatabase } from '@reseller/testing';
import type { Pool } from 'pg';

const READ_SO_FAR = `SELECT sum(seq_tup_read + idx_tup_fetch)::float8 AS read FROM pg_stat_user_tables WHERE relname = ANY ($1)`;

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
    const before = await readSoFar();
    const result = await work(pool);
    return { result, rowsRead: (await readSoFar()) - before };
  } finally {
    await pool.end();
  }
}
