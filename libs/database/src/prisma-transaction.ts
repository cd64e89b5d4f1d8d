import type { Queryable } from './query';
import { repeatRetryable } from './repeat-retryable';

/** What of a generated Prisma client is used here; `Tx` is its client within a transaction. */
interface TransactionalPrisma<Tx extends RawStatements> {
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

/** As long as `createPool` lets callers wait for a connection, and a statement run. */
const LIMITS = { maxWait: 5_000, timeout: 15_000 };

/**
 * Runs `work` in a Prisma transaction that commits when it resolves and rolls back when it rejects. A serialization failure
 * or deadlock runs it again, 5 attempts in all, so `work` must have no effect outside of the transaction. For what is not
 * on a hot path: `withTransaction` is several times faster.
 */
export function withPrismaTransaction<Tx extends RawStatements, T>(
  prisma: TransactionalPrisma<Tx>,
  work: (tx: PrismaTransaction<Tx>) => Promise<T>,
): Promise<T> {
  return repeatRetryable(() =>
    prisma.$transaction((tx) => work({ prisma: tx, sql: queryableOf(tx) }), LIMITS),
  );
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
