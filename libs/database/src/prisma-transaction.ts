import { setTimeout as pause } from 'node:timers/promises';
import { isRetryable } from './database-errors';
import type { Queryable } from './query';

/** What of a generated Prisma client is used here; `Tx` is its client within a transaction. */
export interface TransactionalPrisma<Tx extends RawStatements> {
  $transaction<T>(work: (tx: Tx) => Promise<T>, options: { maxWait: number; timeout: number }): Promise<T>;
}

interface RawStatements {
  $queryRawUnsafe<T>(text: string, ...values: unknown[]): Promise<T>;
}

/** One transaction in two forms: Prisma's for the service's rows, and plain statements for libraries such as the outbox. */
export interface PrismaTransaction<Tx> {
  readonly prisma: Tx;
  readonly sql: Queryable;
}

const ATTEMPTS = 5;
/** As long as `createPool` lets callers wait for a connection, and a statement run. */
const LIMITS = { maxWait: 5_000, timeout: 15_000 };

/**
 * Runs `work` in a Prisma transaction that commits when it resolves and rolls back when it rejects. A serialization failure
 * or deadlock runs it again, 5 attempts in all, so `work` must have no effect outside of the transaction. For what is not
 * on a hot path: `withTransaction` is several times faster.
 */
export async function withPrismaTransaction<Tx extends RawStatements, T>(
  prisma: TransactionalPrisma<Tx>,
  work: (tx: PrismaTransaction<Tx>) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await prisma.$transaction((tx) => work({ prisma: tx, sql: queryableOf(tx) }), LIMITS);
    } catch (error) {
      if (attempt >= ATTEMPTS || !isRetryable(error)) throw error;
      // Full jitter: those that collided must not meet again in step.
      await pause(Math.random() * Math.min(10 * 2 ** attempt, 200));
    }
  }
}

function queryableOf(tx: RawStatements): Queryable {
  const statements = {
    query: async ({ text, values = [] }: { text: string; values?: unknown[] }) => ({
      rows: await tx.$queryRawUnsafe<object[]>(text, ...values),
    }),
  };
  // `query` of this library calls nothing else of it.
  return statements as Queryable;
}
