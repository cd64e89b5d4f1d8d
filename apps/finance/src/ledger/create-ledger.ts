import { Batcher, type Patience } from '@reseller/database';
import { Counter, Histogram, type Registry } from 'prom-client';
import { countLimitRefusals } from './limit-refusals';
import type { OperationOutcome, WalletOperation, WalletRef } from './domain/wallet-operation';
import type { LedgerRepository, WalletBatch } from './ledger.repository';

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
}

/** What the ledger is made of. */
interface LedgerDeps {
  repository: LedgerRepository;
  poolSize: number;
  metrics: Registry;
}

interface Submitted {
  wallet: WalletRef;
  operation: WalletOperation;
  patience?: Patience | undefined;
}

interface WalletGroup extends WalletBatch {
  readonly operations: WalletOperation[];
}

/**
 * A ledger that applies what waits, each wallet's in order of arrival, in one statement for all wallets. One that somebody else
 * holds locked is waited for in a statement of its own, beside the others.
 */
export function createLedger({ repository, poolSize, metrics }: LedgerDeps): Ledger {
  const connections = Math.max(2, poolSize - OTHER_CONNECTIONS);
  const common = {
    groupOf: ({ wallet }: Submitted) => nameOf(wallet),
    maxBatch: LARGEST_BATCH,
    onBatch: observeBatches(metrics),
  };
  const waiting = new Batcher<Submitted, OperationOutcome>({
    ...common,
    run: async ([first, ...rest]) =>
      first
        ? repository.apply(
            first.wallet,
            [first, ...rest].map(({ operation }) => operation),
          )
        : [],
    concurrency: Math.floor(connections / 2),
  });
  const lanes = Math.ceil(connections / 2);
  let alone = 0;
  const ready = new Batcher<Submitted, OperationOutcome>({
    ...common,
    run: async (batch) => {
      const groups = groupsOf(batch);
      const [first, second] = groups;
      // A wallet by itself costs less when its lock is waited for, which one lane never does: it is there for all others.
      if (!first || second || alone >= lanes - 1) return applyReady(repository, waiting, batch, groups);
      alone += 1;
      try {
        return await repository.apply(first.wallet, first.operations);
      } finally {
        alone -= 1;
      }
    },
    groupsAtOnce: LARGEST_BATCH,
    concurrency: lanes,
  });
  const countRefusal = countLimitRefusals(metrics);
  return {
    async submit(wallet, operation, patience) {
      const outcome = await ready.submit({ wallet, operation, patience }, patience);
      if (!outcome.done) countRefusal(outcome.refusal);
      return outcome;
    },
  };
}

// A wallet's operations stand together in a batch.
function groupsOf(batch: readonly Submitted[]): WalletGroup[] {
  const groups: WalletGroup[] = [];
  for (const { wallet, operation } of batch) {
    const last = groups.at(-1);
    if (last && nameOf(last.wallet) === nameOf(wallet)) last.operations.push(operation);
    else groups.push({ wallet, operations: [operation] });
  }
  return groups;
}

async function applyReady(
  repository: LedgerRepository,
  waiting: Batcher<Submitted, OperationOutcome>,
  batch: readonly Submitted[],
  groups: readonly WalletGroup[],
): Promise<(OperationOutcome | Promise<OperationOutcome>)[]> {
  const outcomes = await repository.applyToMany(groups);
  const inOrder = groups.flatMap(({ operations }, n) => operations.map((_, at) => outcomes[n]?.[at]));
  return batch.map((one, at) => inOrder[at] ?? waiting.submit(one, one.patience));
}

const nameOf = ({ environment, partnerId }: WalletRef): string => `${environment}:${partnerId}`;

function observeBatches(registry: Registry): (size: number, failed: boolean) => void {
  const sizes = new Histogram({
    name: 'finance_wallet_batch_size',
    help: 'Operations applied in one statement, of whatever wallets. Sum over instances.',
    buckets: [1, 2, 4, 8, 16, 32, 64, 128],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'finance_wallet_batch_failures_total',
    help: 'Statements of movements that failed; those of more than one operation are tried again in halves. Sum over instances.',
    registers: [registry],
  });
  return (size, failed) => {
    sizes.observe(size);
    if (failed) failures.inc();
  };
}
