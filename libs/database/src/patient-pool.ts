import { readUnderWay } from '@reseller/rpc';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { refusal } from './refusal';

/** How pg-pool hands out a client, or says why not. */
export type OnClient = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void;

/**
 * A pool whose line is bounded for reads (spec §14.2): one more than `maxWaiting` is refused at once, and one whose caller gave
 * up while it stood in line gives its connection on without a statement. What changes something waits as long as any pool lets it.
 */
export class PatientPool extends Pool {
  constructor(
    config: PoolConfig,
    private readonly maxWaiting: number,
  ) {
    super(config);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnClient): void;
  override connect(callback?: OnClient): Promise<PoolClient> | void {
    const read = readUnderWay();
    if (!read) return callback ? super.connect(callback) : super.connect();
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('no client'))));
      });
    }
    if (this.waitingCount >= this.maxWaiting) {
      callback(refusal('too many wait for a connection'), undefined, () => undefined);
      return;
    }
    super.connect((error, client, done) => {
      const isOver = read.signal?.aborted === true || (read.deadlineAt ?? Infinity) <= Date.now();
      if (!client || !isOver) return callback(error, client, done);
      done();
      callback(refusal('nobody waited any more when there was a connection'), undefined, () => undefined);
    });
  }
}
