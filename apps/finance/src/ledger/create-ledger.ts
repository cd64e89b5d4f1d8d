import { Batcher, isDatabaseUnavailable, type Patience } from '@reseller/database';
import { Counter, Histogram, type Registry } from 'prom-client';
import type { OutboxEvent } from '@reseller/messaging';
import type {
  OperationOutcome,
  OperationResult,
  WalletOperation,
  WalletRef,
} from './domain/wallet-operation';
import type { LedgerRepository } from './ledger.repository';

/** Longer batches gain nothing more and keep the last of them waiting (docs/adr/0007). */
const LARGEST_BATCH = 128;
/** Connections that batches leave to reads, lists and the consumer. */
const OTHER_CONNECTIONS = 2;

/** The way to move money. */
export interface Ledger {
  /**
   * Resolves with this operation's own outcome; rejects when it could not be applied at all. One whose caller gave up before
   * its turn is never applied.
   */
  submit(wallet: WalletRef, operation: WalletOperation, patience?: Patience): Promise<OperationOutcome>;
  /** The same in a transaction of its own, which appends the movement's event unless it was posted before. */
  submitWithEvent(
    wallet: WalletRef,
    operation: WalletOperation,
    eventOf: (result: OperationResult) => OutboxEvent,
  ): Promise<OperationOutcome>;
}

/** What the ledger is made of. */
export interface LedgerDeps {
  repository: LedgerRepository;
  poolSize: number;
  metrics: Registry;
}

interface Submitted {
  wallet: WalletRef;
  operation: WalletOperation;
}

/** A ledger that applies what waits for one wallet in one statement, in order of arrival; wallets take turns. */
export function createLedger({ repository, poolSize, metrics }: LedgerDeps): Ledger {
  const batcher = new Batcher<Submitted, OperationOutcome>({
    run: (batch) => applyAll(repository, batch),
    groupOf: ({ wallet }) => `${wallet.environment}:${wallet.partnerId}`,
    concurrency: poolSize - OTHER_CONNECTIONS,
    maxBatch: LARGEST_BATCH,
    shouldBisect: (error) => !isDatabaseUnavailable(error),
    onBatch: observeBatches(metrics),
  });
  return {
    submit: (wallet, operation, patience) => batcher.submit({ wallet, operation }, patience),
    submitWithEvent: (wallet, operation, eventOf) => repository.applyWithEvent(wallet, operation, eventOf),
  };
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
    help: 'Statements on a wallet that failed; those of more than one operation are tried again in halves. Sum over instances.',
    registers: [registry],
  });
  return (size, failed) => {
    sizes.observe(size);
    if (failed) failures.inc();
  };
}
