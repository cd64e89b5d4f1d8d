import { currentHeaders } from '@reseller/telemetry';
import { escapeLiteral, type Pool, type PoolClient } from 'pg';
import { repeatRetryable, type RepeatOptions } from './repeat-retryable';
import { withClient } from './with-client';

/** How a transaction runs. */
interface TransactionOptions extends RepeatOptions {
  isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
}

/**
 * Runs `fn` in a transaction that commits when it resolves and rolls back when it rejects. A serialization failure or
 * deadlock runs it again, 5 attempts in all, so `fn` must have no effect outside of the transaction.
 */
export function withTransaction<T>(
  pool: Pool,
  fn: (tx: PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  return repeatRetryable(() => runOnce(pool, fn, options), options);
}

function runOnce<T>(
  pool: Pool,
  fn: (tx: PoolClient) => Promise<T>,
  { isolation }: TransactionOptions,
): Promise<T> {
  return withClient(pool, async (tx, close) => {
    try {
      await tx.query(`${isolation ? `BEGIN ISOLATION LEVEL ${isolation}` : 'BEGIN'}${settingHeaders()}`);
      const result = await fn(tx);
      await tx.query('COMMIT');
      return result;
    } catch (error) {
      await tx.query('ROLLBACK').catch(close);
      throw error;
    }
  });
}

// What a trigger reports in this transaction has its headers (outbox_append); in the same message, so it costs no round trip.
function settingHeaders(): string {
  const headers = currentHeaders();
  if (Object.keys(headers).length === 0) return '';
  return `; SET LOCAL reseller.headers = ${escapeLiteral(JSON.stringify(headers))}`;
}
