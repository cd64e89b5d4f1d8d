import { readUnderWay } from '@reseller/rpc';
import { DatabaseError, Pool, type PoolClient, type PoolConfig, type QueryConfig } from 'pg';
import { refusal } from './refusal';

/** How pg-pool hands out a client, or says why not. */
export type OnClient = (error: Error | undefined, client: PoolClient | undefined, done: () => void) => void;

/**
 * Classes of errors that speak of a statement's data and not of its session: 22 (a value), 23 (a constraint), 40 (it lost to another
 * transaction), P0 (a routine refused it). Any other may be of a session that is of no more use, as after a failover or a migration.
 */
const ABOUT_DATA = /^(22|23|40|P0)/;

const isAboutData = (error: unknown): boolean =>
  error instanceof DatabaseError && ABOUT_DATA.test(error.code ?? '');

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

  /** A statement that is refused for its data leaves its connection open, where pg-pool closes it and the next one makes another. */
  override readonly query = ((statement: string | QueryConfig, values?: unknown[]) =>
    isOneStatement(statement, values)
      ? this.queryAlone(statement, values)
      : super.query(statement, values)) as Pool['query'];

  private async queryAlone(statement: string | QueryConfig, values: unknown[] | undefined): Promise<unknown> {
    const client = await this.connect();
    let unusable: Error | undefined;
    try {
      return await client.query(statement, values);
    } catch (error) {
      if (!isAboutData(error)) unusable = error as Error;
      throw error;
    } finally {
      client.release(unusable);
    }
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

/** Whether it goes by the protocol that takes one statement at a time, so that its refusal leaves no transaction open. */
const isOneStatement = (statement: string | QueryConfig, values?: unknown[]): boolean =>
  typeof statement === 'string'
    ? Array.isArray(values) && values.length > 0
    : statement.name !== undefined || (values ?? statement.values ?? []).length > 0;
