import { Batcher, isDatabaseUnavailable } from '@reseller/database';
import type { Pool } from 'pg';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { OperationOutcome, WalletOperation, WalletRef } from './domain/wallet-operation';
import { LedgerRepository } from './ledger.repository';

/** Longer batches gain nothing more and keep the last of them waiting (docs/adr/0007). */
const LARGEST_BATCH = 128;
/** Connections that batches leave to reads, lists and the consumer. */
const OTHER_CONNECTIONS = 2;

/** The way to move money. */
export interface Ledger {
  /** Resolves with this operation's own outcome; rejects when it could not be applied at all. */
  submit(wallet: WalletRef, operation: WalletOperation): Promise<OperationOutcome>;
}

/** What the ledger is made of. */
export interface LedgerDeps {
  pool: Pool;
  poolSize: number;
  reservationTtlMs: number;
  metrics: Registry;
}

interface Submitted {
  wallet: WalletRef;
  operation: WalletOperation;
}

/** A ledger that applies what waits for one wallet in one statement, in order of arrival; wallets take turns. */
export function createLedger({ pool, poolSize, reservationTtlMs, metrics }: LedgerDeps): Ledger {
  const repository = new LedgerRepository(pool, reservationTtlMs);
  const batcher = new Batcher<Submitted, OperationOutcome>({
    run: (batch) => applyAll(repository, batch),
    groupOf: ({ wallet }) => `${wallet.environment}:${wallet.partnerId}`,
    concurrency: poolSize - OTHER_CONNECTIONS,
    maxBatch: LARGEST_BATCH,
    shouldTrySingly: (error) => !isDatabaseUnavailable(error),
    onBatch: observeBatches(metrics),
  });
  return { submit: (wallet, operation) => batcher.submit({ wallet, operation }) };
}

// A batch is never empty and of one wallet.
async function applyAll(repository: LedgerRepository, batch: Submitted[]): Promise<OperationOutcome[]> {
  const [first] = batch;
  if (!first) return [];
  return repository.apply(
    first.wallet,
    batch.map(({ operation }) => operation),
  );
}

function observeBatches(registry: Registry): (size: number, failed: boolean) => void {
  const sizes = new Histogram({
    name: 'finance_wallet_batch_size',
    help: 'Operations applied to one wallet in one statement. Sum over instances.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'finance_wallet_batch_failures_total',
    help: 'Statements on a wallet that failed; those of more than one operation are tried again one by one. Sum over instances.',
    registers: [registry],
  });
  return (size, failed) => {
    sizes.observe(size);
    if (failed) failures.inc();
  };
}
