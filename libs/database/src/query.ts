import type { ClientBase, Pool, QueryResultRow } from 'pg';
import { withClient } from './with-client';

/** Whatever runs a statement: the pool, or the client of a transaction. */
export type Queryable = Pool | ClientBase;

/** A statement that each connection prepares once; the name stands for the text, so no two texts share one. */
export interface PreparedStatement {
  name: string;
  text: string;
}

/** Runs a prepared statement and returns its rows; numeric and int8 columns are strings, timestamptz are Dates. */
export async function query<Row extends object = QueryResultRow>(
  db: Queryable,
  statement: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const config = { name: statement.name, text: statement.text, values: [...values] };
  const result = await db.query<Row & QueryResultRow>(config);
  return result.rows;
}

/**
 * Runs a prepared statement that appends no event, such as a job's look for work, on a connection of its own: the outbox relay does
 * not look after it, as it does after everything else.
 */
export function queryWithoutEvents<Row extends object = QueryResultRow>(
  pool: Pool,
  statement: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const use = { closeOnFailure: true, appendsNoEvent: true };
  return withClient(pool, (client) => query<Row>(client, statement, values), use);
}
