export { transactionAges } from './transaction-ages';
export { mapDatabaseOutage } from './map-database-outage';
export { applyMigrations, schemaState } from './apply-migrations';
export { observeBacklogs } from './backlogs';
export type { BacklogCursor, BacklogDeps, BacklogReading } from './backlogs';
export { createPool, createSessionPool } from './create-pool';
export type { PoolSettings } from './create-pool';
export {
  constraintOf,
  isCheckViolation,
  isDatabaseUnavailable,
  isForeignKeyViolation,
  isRetryable,
  isUniqueViolation,
  sqlStateOf,
} from './database-errors';
export { databaseAddress, directAddress } from './database-address';
export type { DatabaseAddress, DatabaseSettings, Pooler } from './database-address';
export { databaseReady } from './database-ready';
export { fillIn } from './older-servers';
export { ensureDatabase } from './ensure-database';
export { exclusively } from './exclusive';
export { LockBatcher, type LockWait } from './lock-batcher';
export { migrateCommand } from './migrate-command';
export { clampBounds, pageBounds, toPageInfo } from './page';
export type { PageBounds } from './page';
export { createPrismaAdapter } from './prisma-adapter';
export { withPrismaTransaction } from './prisma-transaction';
export type { PrismaTransaction } from './prisma-transaction';
export { query, queryWithoutEvents } from './query';
export type { PreparedStatement, Queryable } from './query';
export { repeatRetryable } from './repeat-retryable';
export { keepRoleLimits } from './role-limits';
export type { SessionPool } from './session-pool';
export { serviceMigrations } from './service-migrations';
export { Batcher } from './batcher';
export type { Patience } from './batcher';
export { appendedNoEvent } from './with-client';
export { withTransaction } from './with-transaction';
export { keyRetention, KeyedCalls } from './idempotency/keyed-calls';
export type { ResponseSeal, Within } from './idempotency/keyed-calls';
export { idempotencyKeyService } from './idempotency/serve';
export { lastOf, pageOf, sqlCheck } from './reconciliation/check';
export type { FoundDifference, ReconciliationCheck } from './reconciliation/check';
export { Reconciler } from './reconciliation/reconciler';
export type { CheckRun, ReconcilerDeps } from './reconciliation/reconciler';
export { differenceRetention, reconcileConfig, serveReconciler } from './reconciliation/serve';
export { giveWay } from './retention/give-way';
export { createRetentionJob, removeExpired } from './retention/retention';
export type { RetentionRule } from './retention/rule';
export { readFromReplica } from './replica/read-from-replica';
export { createReplica, Replica } from './replica/replica';
