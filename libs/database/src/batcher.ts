import { queueDelay, runForAll } from '@reseller/rpc';
import { isDatabaseUnavailable } from './database-errors';
import { refusal } from './refusal';

/**
 * Runs many items in one statement, all or (by a throw) none; one result for each, in order. A result may be one to come, of an
 * item that the statement left alone.
 */
type RunBatch<Item, Result> = (items: Item[]) => Promise<(Result | Promise<Result>)[]>;

/** Settings of a batcher. */
export interface BatcherOptions<Item, Result> {
  run: RunBatch<Item, Result>;
  /** Batches in flight at once. */
  concurrency: number;
  maxBatch: number;
  /** Items that may wait; one more is refused at once (spec §14.2). 2,048 by default. */
  maxWaiting?: number;
  /** Items of one group go in order of arrival, one batch of a group at a time; without it any two may go side by side. */
  groupOf?: (item: Item) => string;
  /** So many groups that wait at the same time share a batch, group by group; 1 by default. */
  groupsAtOnce?: number;
  /** Reads alone: items of an equal key that wait at the same time share one place in the statement, and its result. */
  keyOf?: (item: Item) => string;
  onBatch?: ((size: number, failed: boolean) => void) | undefined;
}

/** For how long somebody waits for an item; the part of a call's context that queues obey (spec §14.2). */
export interface Patience {
  /** Milliseconds since the epoch. */
  readonly deadlineAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Waiter<Result> {
  readonly patience: Patience | undefined;
  resolve(result: Result | Promise<Result>): void;
  reject(error: unknown): void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly since: number;
  readonly waiters: Waiter<Result>[];
}

interface Group<Item, Result> {
  key: string;
  waiting: Waiting<Item, Result>[];
  /** Those that wait by their keys, where equal keys share a place. */
  byKey: Map<string, Waiting<Item, Result>>;
  running: number;
  isQueued: boolean;
}

const MOST_WAITING = 2_048;

/**
 * Joins what waits at the same time into one statement: what arrives while as many batches as may be are in flight goes out
 * together next. Groups take turns. An item is only ever settled by a statement that was sent after it came in, so a read
 * sees what was committed before it. What nobody waits for any more by then is not sent. A statement that fails while the database
 * is there runs again in halves, so that only the items that spoil it fail.
 */
export class Batcher<Item, Result> {
  private readonly groups = new Map<string, Group<Item, Result>>();
  private readonly queue: Group<Item, Result>[] = [];
  private running = 0;
  private waitingCount = 0;
  private isScheduled = false;

  constructor(private readonly options: BatcherOptions<Item, Result>) {}

  /**
   * Resolves with this item's own result; rejects when its statement failed for this item too. SERVICE_UNAVAILABLE means that
   * it was never sent: too many wait, or its caller's patience ended before its turn.
   */
  submit(item: Item, patience?: Patience): Promise<Result> {
    return new Promise((resolve, reject) => {
      const group = this.groupOf(item);
      const waiter = { patience, resolve, reject };
      const key = this.options.keyOf?.(item);
      const equal = key === undefined ? undefined : group.byKey.get(key);
      if (equal) {
        equal.waiters.push(waiter);
        return;
      }
      if (this.waitingCount >= (this.options.maxWaiting ?? MOST_WAITING)) {
        reject(refusal('too many wait for the same statement'));
        return;
      }
      const waiting = { item, since: performance.now(), waiters: [waiter] };
      if (key !== undefined) group.byKey.set(key, waiting);
      group.waiting.push(waiting);
      this.waitingCount += 1;
      this.enqueue(group);
      this.schedule();
    });
  }

  private groupOf(item: Item): Group<Item, Result> {
    const key = this.options.groupOf?.(item) ?? '';
    let group = this.groups.get(key);
    if (!group)
      this.groups.set(key, (group = { key, waiting: [], byKey: new Map(), running: 0, isQueued: false }));
    return group;
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
        if (this.queue.length === 0) return;
        void this.runNext();
      }
    });
  }

  private async runNext(): Promise<void> {
    const batch: Waiting<Item, Result>[] = [];
    const groups: Group<Item, Result>[] = [];
    while (batch.length < this.options.maxBatch && groups.length < (this.options.groupsAtOnce ?? 1)) {
      const group = this.queue.shift();
      if (!group) break;
      groups.push(group);
      this.takeInto(batch, group);
      group.isQueued = false;
      group.running += 1;
      this.enqueue(group);
    }
    this.running += 1;
    if (batch.length > 0) await this.runBatch(batch);
    this.running -= 1;
    for (const group of groups) {
      group.running -= 1;
      this.enqueue(group);
      if (group.running === 0 && group.waiting.length === 0) this.groups.delete(group.key);
    }
    this.schedule();
  }

  /** Adds what is next of a group, as far as there is room, without what nobody waits for any more. */
  private takeInto(batch: Waiting<Item, Result>[], group: Group<Item, Result>): void {
    const now = Date.now();
    let taken = 0;
    for (const waiting of group.waiting) {
      if (batch.length === this.options.maxBatch) break;
      taken += 1;
      if (this.options.keyOf) group.byKey.delete(this.options.keyOf(waiting.item));
      if (waiting.waiters.some(({ patience }) => isPatient(patience, now))) batch.push(waiting);
      else settle(waiting, ({ reject }) => reject(refusal('nobody waited any more when its turn came')));
    }
    const [first] = group.waiting.splice(0, taken);
    if (first) queueDelay.note('statements', performance.now() - first.since);
    this.waitingCount -= taken;
  }

  private async runBatch(batch: Waiting<Item, Result>[]): Promise<void> {
    let results: (Result | Promise<Result>)[];
    try {
      results = await runForAll(() => this.options.run(batch.map(({ item }) => item)));
    } catch (error) {
      this.options.onBatch?.(batch.length, true);
      if (batch.length === 1 || isDatabaseUnavailable(error)) return rejectAll(batch, error);
      // One of them spoils the statement for all: halves in order of arrival, so that it costs a few statements to be alone.
      const middle = Math.ceil(batch.length / 2);
      await this.runBatch(batch.slice(0, middle));
      return this.runBatch(batch.slice(middle));
    }
    const isWhole = results.length === batch.length;
    this.options.onBatch?.(batch.length, !isWhole);
    if (!isWhole) return rejectAll(batch, new Error('a batch was left without a result for each item'));
    batch.forEach((waiting, index) =>
      settle(waiting, ({ resolve }) => resolve(results[index] as Result | Promise<Result>)),
    );
  }
}

function isPatient(patience: Patience | undefined, now: number): boolean {
  return !patience?.signal?.aborted && (patience?.deadlineAt ?? Infinity) > now;
}

function settle<Result>({ waiters }: Waiting<unknown, Result>, by: (waiter: Waiter<Result>) => void): void {
  for (const waiter of waiters) by(waiter);
}

function rejectAll<Result>(batch: Waiting<unknown, Result>[], error: unknown): void {
  for (const waiting of batch) settle(waiting, ({ reject }) => reject(error));
}
