import { isDatabaseUnavailable } from '@reseller/database';
import type { Pool } from 'pg';
import { Counter, Histogram, type Registry } from 'prom-client';
import { LedgerRepository } from './ledger.repository';
import { WalletBatcher, type WalletBatcherOptions } from './wallet-batcher';

/** Longer batches gain nothing more and keep the last of them waiting (docs/adr/0007). */
const LARGEST_BATCH = 128;
/** Connections that batches leave to reads, lists and the consumer. */
const OTHER_CONNECTIONS = 2;

/** What the ledger is made of. */
export interface LedgerDeps {
  pool: Pool;
  poolSize: number;
  reservationTtlMs: number;
  metrics: Registry;
}

/** The one way to move money: operations on one wallet go out in batches, in order of arrival. */
export function createLedger({ pool, poolSize, reservationTtlMs, metrics }: LedgerDeps): WalletBatcher {
  const ledger = new LedgerRepository(pool, reservationTtlMs);
  return new WalletBatcher({
    apply: (wallet, operations) => ledger.apply(wallet, operations),
    concurrency: poolSize - OTHER_CONNECTIONS,
    maxBatch: LARGEST_BATCH,
    shouldTrySingly: (error) => !isDatabaseUnavailable(error),
    onBatch: observeBatches(metrics),
  });
}

function observeBatches(registry: Registry): NonNullable<WalletBatcherOptions['onBatch']> {
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
