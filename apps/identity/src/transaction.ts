import { withPrismaTransaction, type PrismaTransaction } from '@reseller/database';
import type { Prisma, PrismaClient } from './generated/prisma/client';

/** A transaction of identity's database: its rows by Prisma, and plain statements for the outbox. */
export type Transaction = PrismaTransaction<Prisma.TransactionClient>;

/** Runs work that is committed whole when it resolves, and not at all when it rejects. */
export type Transact = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/** Transactions of this client. */
export const createTransact =
  (prisma: PrismaClient): Transact =>
  (work) =>
    withPrismaTransaction(prisma, work);
