import type { Pool } from 'pg';

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** How many rows of tables a query reads, those it throws away among them. It is run; fill the tables and ANALYZE first. */
export async function rowsRead(
  pool: Pool,
  { text }: { readonly text: string },
  values: readonly unknown[] = [],
): Promise<number> {
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
    [...values],
  );
  const readBy = (node: PlanNode): number => {
    const inner = (node.Plans ?? []).reduce((sum, plan) => sum + readBy(plan), 0);
    if (node['Relation Name'] === undefined) return inner;
    const { 'Actual Rows': kept = 0, 'Actual Loops': loops = 1 } = node;
    const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
    return inner + (kept + dropped) * loops;
  };
  return rows.flatMap((row) => row['QUERY PLAN']).reduce((sum, { Plan }) => sum + readBy(Plan), 0);
}
