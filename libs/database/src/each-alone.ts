import { sqlStateOf } from './database-errors';

const LOCK_NOT_AVAILABLE = '55P03';

/** For a batcher of items that are tried alone: so many wait for locks at once, each on a connection, beside the batches of their kind. */
export const ALONE = { concurrency: 4, maxBatch: 1, maxWaiting: Infinity };

/**
 * Tries each item of a batch alone when its statement did not get a lock in time, and throws any other error on: where somebody
 * holds a row for long, only the item that needs it waits; those that came with it, or come after it, go on.
 */
export const eachAlone =
  <Item, Result>(items: readonly Item[], alone: (item: Item) => Promise<Result>) =>
  (error: unknown): Promise<Result>[] => {
    if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    return items.map(alone);
  };
