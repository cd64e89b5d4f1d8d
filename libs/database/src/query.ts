import type { ClientBase, Pool, QueryResultRow } from 'pg';

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

const isComingBackWithout = new WeakSet<object>();

/**
 * Runs a prepared statement that appends no event, such as a job's look for work, on a connection of its own: the outbox relay does
 * not look after it, as it does after everything else.
 */
export async function queryWithoutEvents<Row extends object = QueryResultRow>(
  pool: Pool,
  statement: PreparedStatement,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // A client that is checked out has no other listener: without one, a backend that dies ends the process.
  const onError = (error: Error): void => void (broken = error);
  client.on('error', onError);
  try {
    return await query<Row>(client, statement, values);
  } catch (error) {
    broken ??= error instanceof Error ? error : new Error(String(error));
    throw error;
  } finally {
    client.off('error', onError);
    isComingBackWithout.add(client);
    client.release(broken);
    isComingBackWithout.delete(client);
  }
}

/** Whether what a connection is released from, at this moment, is known to have appended no event. */
export const appendedNoEvent = (client: object): boolean => isComingBackWithout.has(client);
