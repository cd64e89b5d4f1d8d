import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readPlatformFile } from '../../platform/platform-file';
import { startPlatform } from '../../platform/start-platform';
import type { PlatformPlace, StartedPlatform } from '../../platform/start-platform';
import { captureStatements } from '../statement-capture';
import type { RunOperation } from './cost-operations';
import { countedSince, DatabaseCounters } from './database-counters';
import type { Counted } from './database-counters';
import { PostgresCpu, serverOf, WATCHER } from './postgres-cpu';
import { cpuOf, cpuOfChildren } from './process-cpu';

/** What one operation of one build has cost, added up over its rounds. */
export interface Cost {
  /** Of the rounds whose CPU and log were measured. */
  count: number;
  seconds: number;
  failures: number;
  walBytes: number;
  readonly cpuMs: Map<string, number>;
  measuredMs: number;
  /** Everything done between the two readings of the counters. */
  countedOperations: number;
  counted: Counted | undefined;
  countedMs: number;
  loggedOperations: number;
  loggedMs: number;
  readonly statements: Map<string, number>;
}

/** What a platform holds at PostgreSQL. */
interface Footprint {
  /** Of all databases, without the write-ahead log. */
  readonly diskBytes: number;
  readonly connections: number;
}

/** Deliveries and events of the last operations belong to them. */
const TRAIL_MS = 300;

const WARM_UP_LEAST_S = 2;
const WARM_UP_OPERATIONS = 500;

/** The longest that it takes to warm an operation up. */
export const WARM_UP_MOST_S = 10;

/** A build under measurement: a platform of its own, and what is read of it. */
export class CostSubject {
  private baseline: { counted: Counted; at: number } | undefined;

  private constructor(
    readonly platform: StartedPlatform,
    private readonly counters: DatabaseCounters,
    private readonly watcher: pg.Client,
  ) {}

  /** Starts a platform. */
  static async start(env: Record<string, string> = {}, place: PlatformPlace = {}): Promise<CostSubject> {
    const platform = await startPlatform({ ACCESS_LOG: 'off', ...env }, place);
    const connectionString = platform.description.databases.identity ?? '';
    const watcher = new pg.Client({ connectionString, application_name: WATCHER });
    watcher.on('error', () => undefined);
    await watcher.connect();
    return new CostSubject(platform, await DatabaseCounters.connect(connectionString), watcher);
  }

  /** Ends the counting of rows and commits for what was measured, and begins the next; exact once nothing has run for COUNTS_SETTLE_MS. */
  async count(cost?: Cost): Promise<void> {
    const now = { counted: await this.counters.read(), at: performance.now() };
    if (cost && this.baseline) {
      cost.counted = countedSince(this.baseline.counted, now.counted);
      cost.countedMs = now.at - this.baseline.at;
    }
    this.baseline = now;
  }

  /** One round, with the CPU of every process of the platform and the bytes of its log. */
  async measure(run: RunOperation, seconds: number, cost: Cost): Promise<void> {
    const pids = this.processes();
    const before = new Map([...pids].map(([pid]) => [pid, cpuOf(pid)]));
    const walBefore = await this.counters.walBytes();
    const startedAt = performance.now();
    const postgres = await PostgresCpu.watch(this.watcher);
    const result = await run(seconds);
    await pause(TRAIL_MS);
    const used = await postgres.stop();
    for (const [pid, name] of pids)
      used.set(name, (used.get(name) ?? 0) + cpuOf(pid) - (before.get(pid) ?? 0));
    for (const [name, ms] of used) cost.cpuMs.set(name, (cost.cpuMs.get(name) ?? 0) + ms);
    cost.walBytes += (await this.counters.walBytes()) - walBefore;
    cost.measuredMs += performance.now() - startedAt;
    cost.count += result.count;
    cost.seconds += result.seconds;
    cost.failures += result.failures;
    cost.countedOperations += result.count;
  }

  /** Rounds of a second whose CPU nobody looks at, until it has run so long and so often that its code is compiled. */
  async warmUp(run: RunOperation, cost: Cost): Promise<void> {
    const least = cost.countedOperations + WARM_UP_OPERATIONS;
    for (let second = 1; second <= WARM_UP_MOST_S; second += 1) {
      cost.countedOperations += (await run(1)).count;
      if (second >= WARM_UP_LEAST_S && cost.countedOperations >= least) return;
    }
  }

  /** A round of its own with PostgreSQL's log of statements switched on, which costs CPU. */
  async countStatements(run: RunOperation, seconds: number, cost: Cost): Promise<void> {
    const startedAt = performance.now();
    const logged = await captureStatements({
      adminUrl: this.platform.description.databases.identity ?? '',
      logFile: path.join(path.dirname(this.platform.file), 'logs/postgres.log'),
      work: async () => {
        const { count } = await run(seconds);
        cost.loggedOperations += count;
        cost.countedOperations += count;
      },
    });
    cost.loggedMs += performance.now() - startedAt;
    for (const { database } of logged)
      cost.statements.set(database, (cost.statements.get(database) ?? 0) + 1);
  }

  /** Memory by process, each of PostgreSQL's included, by the given measure. */
  async memoryMib(measure: (pid: number) => number): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    for (const [pid, name] of this.processes()) found.set(name, (found.get(name) ?? 0) + measure(pid));
    const server = await serverOf(this.watcher);
    const postgres = [server, ...cpuOfChildren(server).keys()].map(measure);
    return found.set(
      'PostgreSQL',
      postgres.reduce((sum, mib) => sum + mib, 0),
    );
  }

  /** What the platform holds at PostgreSQL now. */
  async footprint(): Promise<Footprint> {
    const { rows } = await this.watcher.query<{ disk: string; connections: string }>(
      `SELECT (SELECT sum(pg_database_size(oid)) FROM pg_database) AS disk, count(*) AS connections
       FROM pg_stat_activity WHERE backend_type = 'client backend' AND application_name <> $1`,
      [WATCHER],
    );
    return { diskBytes: Number(rows[0]?.disk), connections: Number(rows[0]?.connections) };
  }

  async stop(): Promise<void> {
    await this.counters.close();
    await this.watcher.end();
    await this.platform.stop();
  }

  /** Every process of the platform but PostgreSQL's, by pid. */
  private processes(): Map<number, string> {
    const { instances, pids } = readPlatformFile(this.platform.file);
    const named = Object.entries(instances).flatMap(([service, all]) =>
      all.map(({ pid }): [number, string] => [pid, service]),
    );
    const single = Object.entries(pids).flatMap(([name, pid]): [number, string][] =>
      name === 'postgres' ? [] : [[pid, name]],
    );
    return new Map([...single, ...named, [this.platform.pid, 'local-platform']]);
  }
}

/** Nothing measured so far. */
export const newCost = (): Cost => ({
  count: 0,
  seconds: 0,
  failures: 0,
  walBytes: 0,
  cpuMs: new Map(),
  measuredMs: 0,
  countedOperations: 0,
  counted: undefined,
  countedMs: 0,
  loggedOperations: 0,
  loggedMs: 0,
  statements: new Map(),
});
