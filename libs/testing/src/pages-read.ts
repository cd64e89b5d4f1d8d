import type { Pool } from 'pg';

interface PlanNode {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

/** How many pages of 8 KiB a statement reads, cached or not, those of routines it calls with them. It is run, with its effects. */
export async function pagesRead(
  pool: Pool,
  { text }: { readonly text: string },
  values: readonly unknown[] = [],
): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [...values],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0);
}
