import { isAppError } from '@reseller/errors';
import { createJob, type Job } from '@reseller/service-kit';
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { createPool, openPool, type PoolSettings } from '../create-pool';
import { databaseAddress, type DatabaseSettings } from '../database-address';
import { withClient } from '../with-client';
import { Heartbeats } from './heartbeats';
import { countReads, observeStaleness, type CountRead } from './replica-metrics';
import { ReplicaPool, StaleReplicaError } from './replica-pool';

/** The settings that name a replica (`replicaConfig` in service-kit). */
interface ReplicaSettings extends DatabaseSettings {
  DATABASE_REPLICA_URL?: string | undefined;
  DATABASE_REPLICA_STALENESS_MS: number;
}

/** What a replica is read through, beside its settings. */
interface ReplicaDeps extends Pick<PoolSettings, 'max' | 'name' | 'statementTimeoutMs'> {
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
  readonly metrics: Registry;
}

/** So often within the time that is accepted a beat is written and looked for. */
const BEATS = 4;
const LEAST_TIMEOUT_MS = 250;

/** The replica that the settings name, read from once its job runs; undefined where they name none. */
export function createReplica(settings: ReplicaSettings, deps: ReplicaDeps): Replica | undefined {
  return settings.DATABASE_REPLICA_URL
    ? new Replica(settings, settings.DATABASE_REPLICA_URL, deps)
    : undefined;
}

/**
 * A read-only copy of a service's database that follows it. It is read from while what it shows is at most
 * DATABASE_REPLICA_STALENESS_MS old; the primary is in its place as soon as that is not certain.
 */
export class Replica {
  /** Gives out connections to a server that is fresh enough, or rejects. */
  readonly pool: Pool;
  /** Writes and looks for heartbeats; without it nothing is read here. */
  readonly job: Job;
  private readonly acceptedMs: number;
  private readonly heartbeats: Heartbeats;
  /** One connection each, so that a pool that is full does not look like a server that is late. */
  private readonly primary: Pool;
  private readonly probe: Pool;
  private readonly count: CountRead;
  private shownAt = -Infinity;
  private silence = new AbortController();
  private wasFresh: boolean | undefined;
  private isFailing = false;

  constructor(
    settings: ReplicaSettings,
    connectionString: string,
    private readonly deps: ReplicaDeps,
  ) {
    this.acceptedMs = settings.DATABASE_REPLICA_STALENESS_MS;
    const intervalMs = this.acceptedMs / BEATS;
    const timeoutMs = Math.max(LEAST_TIMEOUT_MS, intervalMs);
    this.heartbeats = new Heartbeats({ keepMs: this.acceptedMs, timeoutMs });
    const primary = databaseAddress(settings);
    const replica = {
      ...primary,
      connectionString,
      directConnectionString: undefined,
      mayLeadToSeveral: true,
    };
    const name = `${deps.name}-replica`;
    const one = { max: 1, log: deps.log, acquireTimeoutMs: timeoutMs };
    this.primary = createPool({ ...primary, ...one, name: `${name}-heartbeat` });
    this.probe = createPool({ ...replica, ...one, name: `${name}-probe` });
    this.pool = openPool(
      { ...replica, ...deps, name, acquireTimeoutMs: timeoutMs },
      (config, maxWaiting) => new ReplicaPool(config, maxWaiting, (client) => this.requireFresh(client)),
    );
    this.count = countReads(deps.metrics);
    observeStaleness(deps.metrics, () => this.ageMs);
    const run = async (): Promise<void> => void (await Promise.all([this.beat(), this.look()]));
    this.job = createJob({
      name: 'replica-heartbeat',
      intervalMs,
      run,
      log: deps.log,
      metrics: deps.metrics,
    });
  }

  /** Closes its connections; once the job has stopped. */
  async close(): Promise<void> {
    await Promise.all([this.pool, this.probe, this.primary].map((pool) => pool.end()));
  }

  /**
   * What `onReplica` resolves to, or else `onPrimary`: where the replica is too old, does not respond, or comes to anything but a
   * result. What is not there may be on the primary; what is wrong is wrong there, too.
   */
  async read<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    if (!this.isFresh) {
      this.count('stale');
      return onPrimary();
    }
    try {
      const result = await unlessAborted(this.silence.signal, onReplica());
      this.count('replica');
      return result;
    } catch (error) {
      // Of the catalogue is what a replica that is behind comes to: something is not found yet.
      this.count(isAppError(error) || error instanceof StaleReplicaError ? 'stale' : 'failed');
      return onPrimary();
    }
  }

  private get ageMs(): number {
    return performance.now() - this.shownAt;
  }

  private get isFresh(): boolean {
    return this.ageMs <= this.acceptedMs;
  }

  private async requireFresh(client: PoolClient): Promise<void> {
    const shownAt = await this.heartbeats.shownAt(client);
    if (performance.now() - shownAt > this.acceptedMs) throw new StaleReplicaError();
  }

  private async beat(): Promise<void> {
    try {
      await this.heartbeats.write(this.primary);
      this.isFailing = false;
    } catch (err) {
      // Once for each outage: what it leads to is seen below.
      if (!this.isFailing) this.deps.log.warn({ err }, 'no heartbeat could be written for the replica');
      this.isFailing = true;
    }
  }

  private async look(): Promise<void> {
    let reason: unknown;
    try {
      // One that failed may still wait for its server.
      this.shownAt = await withClient(this.probe, (client) => this.heartbeats.shownAt(client), {
        closeOnFailure: true,
      });
    } catch (error) {
      reason = error;
      this.shownAt = -Infinity;
      // Reads that wait for it are made on the primary while there is time.
      this.silence.abort();
      this.silence = new AbortController();
    }
    const { isFresh, deps } = this;
    if (isFresh === this.wasFresh) return;
    this.wasFresh = isFresh;
    if (isFresh) deps.log.info('reads that may be older go to the replica');
    else
      deps.log.warn({ err: reason }, 'the replica is too old or does not respond: reads go to the primary');
  }
}

/** The work's result, or a rejection once the signal aborts; the work goes on by itself. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('the replica does not respond'));
    signal.addEventListener('abort', giveUp);
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}
