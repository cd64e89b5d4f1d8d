/** Loads many values in one go; undefined for a key that has none. */
export type LoadMany<K, V> = (keys: K[]) => Promise<(V | undefined)[]>;

/** Settings of a coalescer. */
export interface ReadCoalescerOptions<K, V> {
  load: LoadMany<K, V>;
  nameOf: (key: K) => string;
  /** Statements in flight at once. */
  concurrency: number;
  maxBatch: number;
}

interface Waiting<K, V> {
  key: K;
  readers: { resolve: (value: V | undefined) => void; reject: (error: unknown) => void }[];
}

/**
 * Joins reads that wait at the same time into one statement. A read is only ever answered by a statement that was sent
 * after it came in, so what was committed before it is in the answer.
 */
export class ReadCoalescer<K, V> {
  private readonly waiting = new Map<string, Waiting<K, V>>();
  private running = 0;
  private isScheduled = false;

  constructor(private readonly options: ReadCoalescerOptions<K, V>) {}

  /** Resolves with the key's value, or undefined; rejects when the statement failed. */
  read(key: K): Promise<V | undefined> {
    return new Promise((resolve, reject) => {
      const name = this.options.nameOf(key);
      const joined = this.waiting.get(name);
      if (joined) joined.readers.push({ resolve, reject });
      else this.waiting.set(name, { key, readers: [{ resolve, reject }] });
      this.schedule();
    });
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0 || this.running >= this.options.concurrency) return;
    this.isScheduled = true;
    // After the I/O of this turn, so that what came in together goes out together.
    setImmediate(() => {
      this.isScheduled = false;
      void this.runBatch(this.takeBatch());
      this.schedule();
    });
  }

  private takeBatch(): Waiting<K, V>[] {
    const batch = [...this.waiting].slice(0, this.options.maxBatch);
    for (const [name] of batch) this.waiting.delete(name);
    return batch.map(([, one]) => one);
  }

  private async runBatch(batch: Waiting<K, V>[]): Promise<void> {
    this.running += 1;
    try {
      const values = await this.options.load(batch.map(({ key }) => key));
      batch.forEach(({ readers }, index) => readers.forEach(({ resolve }) => resolve(values[index])));
    } catch (error) {
      for (const { readers } of batch) readers.forEach(({ reject }) => reject(error));
    } finally {
      this.running -= 1;
      this.schedule();
    }
  }
}
