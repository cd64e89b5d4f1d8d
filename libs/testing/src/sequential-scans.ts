import type { Pool } from 'pg';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The tables that a statement would read from end to end, as PostgreSQL plans it now: fill them and ANALYZE first. */
export async function sequentialScans(
  pool: Pool,
  { text }: { readonly text: string },
  values: readonly unknown[] = [],
): Promise<string[]> {
  const { rows } = await pool.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(`EXPLAIN (FORMAT JSON) ${text}`, [
    ...values,
  ]);
  const scanned = (node: PlanNode): string[] => [
    ...(node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []),
    ...(node.Plans ?? []).flatMap(scanned),
  ];
  return rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan }) => scanned(Plan)));
}
