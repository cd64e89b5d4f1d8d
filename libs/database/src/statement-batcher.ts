/** Runs many items in one statement, all or (by a throw) none; one result for each, in order. */
export type RunBatch<Item, Result> = (items: Item[]) => Promise<Result[]>;

/** Settings of a batcher. */
export interface StatementBatcherOptions<Item, Result> {
  run: RunBatch<Item, Result>;
  /** Statements in flight at once. */
  concurrency: number;
  maxBatch: number;
  /** Whether a failed batch is worth trying one by one; not so when the database is away. */
  shouldTrySingly: (error: unknown) => boolean;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

/**
 * Joins statements of one kind that wait at the same time into one: what arrives while as many as may be are in flight
 * goes out together next. For items that have nothing to do with each other; each is answered by a statement that was
 * sent after it came in.
 */
export class StatementBatcher<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private running = 0;
  private isScheduled = false;

  constructor(private readonly options: StatementBatcherOptions<Item, Result>) {}

  /** Resolves with this item's own result; rejects when its statement failed for this item too. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.length === 0 || this.running >= this.options.concurrency) return;
    this.isScheduled = true;
    // After the I/O of this turn, so that what came in together goes out together.
    setImmediate(() => {
      this.isScheduled = false;
      void this.runNext();
      this.schedule();
    });
  }

  private async runNext(): Promise<void> {
    const batch = this.waiting.splice(0, this.options.maxBatch);
    this.running += 1;
    await this.runBatch(batch);
    this.running -= 1;
    this.schedule();
  }

  private async runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch was left without a result for each item');
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      if (batch.length === 1 || !this.options.shouldTrySingly(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One of them spoils the statement for all: let each stand for itself, in order of arrival.
      for (const one of batch) await this.runBatch([one]);
    }
  }
}
