import { setTimeout as pause } from 'node:timers/promises';
import { currentHeaders } from '@reseller/telemetry';
import { escapeLiteral, type Pool, type PoolClient } from 'pg';
import { isRetryable } from './database-errors';

/** How a transaction runs; `attempts` counts the first one too. */
export interface TransactionOptions {
  isolation?: 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE';
  attempts?: number;
  /** Which failures run it again; a serialization failure and a deadlock by default. */
  shouldRepeat?: (error: unknown) => boolean;
}

/**
 * Runs `fn` in a transaction that commits when it resolves and rolls back when it rejects. A serialization failure or
 * deadlock runs it again, 5 attempts in all, so `fn` must have no effect outside of the transaction.
 */
export async function withTransaction<T>(
  pool: Pool,
  fn: (tx: PoolClient) => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> {
  const { attempts = 5, shouldRepeat = isRetryable } = options;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(pool, fn, options);
    } catch (error) {
      if (attempt >= attempts || !shouldRepeat(error)) throw error;
      // Full jitter: those that collided must not meet again in step.
      await pause(Math.random() * Math.min(10 * 2 ** attempt, 200));
    }
  }
}

async function runOnce<T>(
  pool: Pool,
  fn: (tx: PoolClient) => Promise<T>,
  { isolation }: TransactionOptions,
): Promise<T> {
  const tx = await pool.connect();
  let broken: Error | undefined;
  // A client that is checked out has no other listener: without one, a backend that dies ends the process.
  const onError = (error: Error): void => void (broken = error);
  tx.on('error', onError);
  try {
    await tx.query(`${isolation ? `BEGIN ISOLATION LEVEL ${isolation}` : 'BEGIN'}${settingHeaders()}`);
    const result = await fn(tx);
    await tx.query('COMMIT');
    return result;
  } catch (error) {
    await tx.query('ROLLBACK').catch((failure: Error) => (broken ??= failure));
    throw error;
  } finally {
    tx.off('error', onError);
    tx.release(broken);
  }
}

// What a trigger reports in this transaction has its headers (outbox_append); in the same message, so it costs no round trip.
function settingHeaders(): string {
  const headers = currentHeaders();
  if (Object.keys(headers).length === 0) return '';
  return `; SET LOCAL reseller.headers = ${escapeLiteral(JSON.stringify(headers))}`;
}
