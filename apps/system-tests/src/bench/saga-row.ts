import { bundleProgram, spawnProgram } from '@reseller/testing';
import { spawnSync, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import pg from 'pg';
import { findRoot } from '../platform/start-platform';
import type { StartedPlatform } from '../platform/start-platform';
import { PostgresCpu } from './cost/postgres-cpu';
import { cpuOf } from './cost/process-cpu';
import type { LoadResult } from './http-load';
import { inTurn, say, toRow } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { nextMessage, startRole } from './role-process';
import { DBOS_ROLE, installDbos, type SagaRunPlan } from './yardsticks/dbos';

const AT_ONCE = 16;
const LEAST = 3;
const DATABASES = ['bench_saga', 'bench_dbos'];

/** The saga of a top-up alone, its steps doing nothing, against a durable workflow of the same four steps by DBOS. */
export async function benchSaga(platform: StartedPlatform, options: BenchOptions): Promise<BenchRow> {
  say('installing DBOS …');
  const folder = installDbos();
  const url = (database: string): string => {
    const one = new URL(platform.description.databases.identity ?? '');
    one.pathname = `/${database}`;
    return one.href;
  };
  const admin = new pg.Client({ connectionString: url('postgres') });
  await admin.connect();
  for (const name of DATABASES) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  for (const name of DATABASES) await admin.query(`CREATE DATABASE ${name}`);
  const own = await startSagas(url('bench_saga'));
  const { child: other, ...dbos } = await startRole(DBOS_ROLE, { folder, databaseUrl: url('bench_dbos') });
  const cost = new Costs(admin);
  try {
    const run = (child: ChildProcess, database: string, seconds: number): Promise<LoadResult> =>
      cost.of(child.pid ?? 0, database, () => runOnce(child, { seconds, atOnce: AT_ONCE }));
    for (const child of [own.child, other]) {
      await runOnce(child, { seconds: Math.min(5, options.seconds), atOnce: AT_ONCE });
    }
    const result = await inTurn(
      options.rounds,
      () => run(own.child, 'bench_saga', options.seconds),
      () => run(other, 'bench_dbos', options.seconds),
    );
    const row = toRow({
      work: `The saga alone, steps that do nothing, ${AT_ONCE} at once`,
      unit: 'sagas/s',
      least: LEAST,
      result,
      yardstickName: 'DBOS',
    });
    return { ...row, note: `${cost.per('bench_saga')} ms of CPU, DBOS ${cost.per('bench_dbos')} ms` };
  } finally {
    dbos.stop();
    await own.stop();
    for (const name of DATABASES) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
}

/** orders-saga's engine with its own wiring, bundled from its sources, on a migrated database. */
async function startSagas(databaseUrl: string): Promise<{ child: ChildProcess; stop(): Promise<void> }> {
  const root = findRoot();
  const migrate = spawnSync(process.execPath, [path.join(root, 'dist/apps/orders-saga/migrate.js')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    encoding: 'utf8',
  });
  if (migrate.status !== 0) throw new Error(`orders-saga could not be migrated:\n${migrate.stderr}`);
  const program = await bundleProgram(path.join(root, 'apps/orders-saga'), 'test/saga-alone.ts');
  const child = spawnProgram(program.file, { DATABASE_URL: databaseUrl });
  await nextMessage(child);
  return {
    child,
    async stop() {
      child.kill();
      await program.remove();
    },
  };
}

function runOnce(child: ChildProcess, plan: SagaRunPlan): Promise<LoadResult> {
  child.send(plan);
  return nextMessage<LoadResult>(child);
}

/** CPU of a process and its database, added up over rounds. */
class Costs {
  private readonly sums = new Map<string, { ms: number; count: number }>();

  constructor(private readonly client: pg.Client) {}

  async of(pid: number, database: string, run: () => Promise<LoadResult>): Promise<LoadResult> {
    const before = cpuOf(pid);
    const postgres = await PostgresCpu.watch(this.client);
    const result = await run();
    const used = (await postgres.stop()).get(`PostgreSQL, ${database}`) ?? 0;
    const { ms, count } = this.sums.get(database) ?? { ms: 0, count: 0 };
    this.sums.set(database, { ms: ms + used + cpuOf(pid) - before, count: count + result.count });
    return result;
  }

  per(database: string): string {
    const { ms, count } = this.sums.get(database) ?? { ms: 0, count: 0 };
    return (ms / count).toFixed(2);
  }
}
