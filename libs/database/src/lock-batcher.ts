import { Batcher, type BatcherOptions, type Patience } from './batcher';
import { sqlStateOf } from './database-errors';

/** Whether a statement gives up soon where somebody holds a row that it needs, or waits as long as it takes. */
export type LockWait = 'briefly' | 'patiently';

/** As a batcher's; its statements say by themselves how they wait. */
interface LockBatcherOptions<Item, Result> extends Pick<
  BatcherOptions<Item, Result>,
  'concurrency' | 'maxBatch' | 'maxWaiting'
> {
  run: (items: Item[], wait: LockWait) => ReturnType<BatcherOptions<Item, Result>['run']>;
}

interface Patient<Item> {
  readonly item: Item;
  readonly patience: Patience | undefined;
}

const LOCK_NOT_AVAILABLE = '55P03';

/** So many items that are tried alone wait for locks at once, each on a connection. */
const ALONE_AT_ONCE = 4;

/**
 * A batcher of statements that lock rows. A batch gives up soon where somebody holds one of its rows, and each of its items is tried in
 * a statement of its own, in a line beside the batches: only what needs that row waits, and no longer than its caller does.
 */
export class LockBatcher<Item, Result> {
  private readonly together: Batcher<Patient<Item>, Result>;
  private readonly alone: Batcher<Item, Result>;

  constructor({ run, ...options }: LockBatcherOptions<Item, Result>) {
    this.alone = new Batcher({
      concurrency: ALONE_AT_ONCE,
      maxBatch: 1,
      maxWaiting: Infinity,
      run: (items) => run(items, 'patiently'),
    });
    this.together = new Batcher({
      ...options,
      run: (batch) =>
        run(
          batch.map(({ item }) => item),
          'briefly',
        ).catch((error: unknown) => {
          if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
          return batch.map(({ item, patience }) => this.alone.submit(item, patience));
        }),
    });
  }

  /** Resolves with this item's own result; see Batcher.submit. */
  submit(item: Item, patience?: Patience): Promise<Result> {
    return this.together.submit({ item, patience }, patience);
  }
}
