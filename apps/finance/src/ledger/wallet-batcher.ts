import type { OperationOutcome, WalletOperation, WalletRef } from './domain/wallet-operation';

/** Applies operations to one wallet, all or (by a throw) none; one outcome for each, in order. */
export type ApplyBatch = (wallet: WalletRef, operations: WalletOperation[]) => Promise<OperationOutcome[]>;

/** Settings of a batcher. */
export interface WalletBatcherOptions {
  apply: ApplyBatch;
  /** Batches in flight at once, each of another wallet. */
  concurrency: number;
  maxBatch: number;
  /** Whether a failed batch is worth trying one by one; not so when the database is away. */
  shouldTrySingly: (error: unknown) => boolean;
  onBatch?: ((size: number, failed: boolean) => void) | undefined;
}

interface Waiting {
  operation: WalletOperation;
  resolve: (outcome: OperationOutcome) => void;
  reject: (error: unknown) => void;
}

interface Lane {
  wallet: WalletRef;
  waiting: Waiting[];
}

/**
 * One batch of a wallet is in flight at a time; what arrives meanwhile goes into the next one, in order of arrival.
 * Different wallets run side by side and take turns.
 */
export class WalletBatcher {
  private readonly lanes = new Map<string, Lane>();
  private readonly ready: Lane[] = [];
  private running = 0;

  constructor(private readonly options: WalletBatcherOptions) {}

  /** Resolves with this operation's own outcome; rejects when it could not be applied at all. */
  submit(wallet: WalletRef, operation: WalletOperation): Promise<OperationOutcome> {
    return new Promise((resolve, reject) => {
      const name = `${wallet.environment}:${wallet.partnerId}`;
      let lane = this.lanes.get(name);
      if (!lane) {
        lane = { wallet, waiting: [] };
        this.lanes.set(name, lane);
        this.ready.push(lane);
        // After the I/O of this turn, so that what came in together goes out together.
        setImmediate(() => this.startNext());
      }
      lane.waiting.push({ operation, resolve, reject });
    });
  }

  private startNext(): void {
    while (this.running < this.options.concurrency) {
      const lane = this.ready.shift();
      if (!lane) return;
      this.running += 1;
      void this.runLane(lane);
    }
  }

  private async runLane(lane: Lane): Promise<void> {
    await this.runBatch(lane.wallet, lane.waiting.splice(0, this.options.maxBatch));
    this.running -= 1;
    if (lane.waiting.length > 0) this.ready.push(lane);
    else this.lanes.delete(`${lane.wallet.environment}:${lane.wallet.partnerId}`);
    this.startNext();
  }

  private async runBatch(wallet: WalletRef, batch: Waiting[]): Promise<void> {
    try {
      const outcomes = await this.options.apply(
        wallet,
        batch.map(({ operation }) => operation),
      );
      this.options.onBatch?.(batch.length, false);
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome) resolve(outcome);
        else reject(new Error('an operation of a batch was left without an outcome'));
      });
    } catch (error) {
      this.options.onBatch?.(batch.length, true);
      if (batch.length === 1 || !this.options.shouldTrySingly(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One of them spoils the statement for all: let each stand for itself, still in order of arrival.
      for (const one of batch) await this.runBatch(wallet, [one]);
    }
  }
}
