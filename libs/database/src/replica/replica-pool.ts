import type { PoolClient, PoolConfig } from 'pg';
import { PatientPool, type OnClient } from '../patient-pool';

/** What is read there may be older than is accepted. */
export class StaleReplicaError extends Error {
  constructor() {
    super('the replica does not show yet what it has to');
    this.name = 'StaleReplicaError';
  }
}

/** A pool that gives out a connection only once its server is known to be fresh enough: behind one address there may be several. */
export class ReplicaPool extends PatientPool {
  constructor(
    config: PoolConfig,
    maxWaiting: number,
    /** Rejects with StaleReplicaError where it is not. */
    private readonly check: (client: PoolClient) => Promise<void>,
  ) {
    super(config, maxWaiting);
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnClient): void;
  override connect(callback?: OnClient): Promise<PoolClient> | void {
    if (!callback) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error ?? new Error('no client'))));
      });
    }
    super.connect((error, client, done) => {
      if (!client) return callback(error, client, done);
      this.check(client).then(
        () => callback(undefined, client, done),
        (reason: Error) => {
          // Of one that is only behind the connection is good.
          client.release(reason instanceof StaleReplicaError ? undefined : reason);
          callback(reason, undefined, () => undefined);
        },
      );
    });
  }
}
