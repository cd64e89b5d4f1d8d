/** Runs many items in one statement, all or (by a throw) none; one result for each, in order. */
export type RunBatch<Item, Result> = (items: Item[]) => Promise<Result[]>;

/** Settings of a batcher. */
export interface BatcherOptions<Item, Result> {
  run: RunBatch<Item, Result>;
  /** Batches in flight at once. */
  concurrency: number;
  maxBatch: number;
  /** Items of one group go in order of arrival, one batch of a group at a time; without it any two may go side by side. */
  groupOf?: (item: Item) => string;
  /** Whether a failed batch is worth trying one by one, as it is not when the database is away; never, by default. */
  shouldTrySingly?: (error: unknown) => boolean;
  onBatch?: ((size: number, failed: boolean) => void) | undefined;
}

interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

interface Group<Item, Result> {
  key: string;
  waiting: Waiting<Item, Result>[];
  running: number;
  isQueued: boolean;
}

/**
 * Joins what waits at the same time into one statement: what arrives while as many batches as may be are in flight goes out
 * together next. Groups take turns. An item is only ever settled by a statement that was sent after it came in, so a read
 * sees what was committed before it.
 */
export class Batcher<Item, Result> {
  private readonly groups = new Map<string, Group<Item, Result>>();
  private readonly queue: Group<Item, Result>[] = [];
  private running = 0;
  private isScheduled = false;

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  /** Resolves with this item's own result; rejects when its statement failed for this item too. */
  submit(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      const key = this.options.groupOf?.(item) ?? '';
      let group = this.groups.get(key);
      if (!group) this.groups.set(key, (group = { key, waiting: [], running: 0, isQueued: false }));
      group.waiting.push({ item, resolve, reject });
      this.enqueue(group);
      this.schedule();
    });
  }

  private enqueue(group: Group<Item, Result>): void {
    const atOnce = this.options.groupOf ? 1 : this.options.concurrency;
    if (group.isQueued || group.waiting.length === 0 || group.running >= atOnce) return;
    group.isQueued = true;
    this.queue.push(group);
  }

  private schedule(): void {
    if (this.isScheduled || this.queue.length === 0 || this.running >= this.options.concurrency) return;
    this.isScheduled = true;
    // After the I/O of this turn, so that what came in together goes out together.
    setImmediate(() => {
      this.isScheduled = false;
      while (this.running < this.options.concurrency) {
        const group = this.queue.shift();
        if (!group) return;
        void this.runNext(group);
      }
    });
  }

  private async runNext(group: Group<Item, Result>): Promise<void> {
    const batch = group.waiting.splice(0, this.options.maxBatch);
    group.isQueued = false;
    group.running += 1;
    this.running += 1;
    this.enqueue(group);
    await this.runBatch(batch);
    group.running -= 1;
    this.running -= 1;
    this.enqueue(group);
    if (group.running === 0 && group.waiting.length === 0) this.groups.delete(group.key);
    this.schedule();
  }

  private async runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.options.run(batch.map(({ item }) => item));
      if (results.length !== batch.length) throw new Error('a batch was left without a result for each item');
      this.options.onBatch?.(batch.length, false);
      batch.forEach(({ resolve }, index) => resolve(results[index] as Result));
    } catch (error) {
      this.options.onBatch?.(batch.length, true);
      if (batch.length === 1 || !this.options.shouldTrySingly?.(error)) {
        for (const { reject } of batch) reject(error);
        return;
      }
      // One of them spoils the statement for all: let each stand for itself, in order of arrival.
      for (const one of batch) await this.runBatch([one]);
    }
  }
}
