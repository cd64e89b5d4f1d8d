import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findRoot } from '../../platform/start-platform';
import type { StartedPlatform } from '../../platform/start-platform';
import { readRepeatedly } from '../http-load';
import type { LoadResult } from '../http-load';
import { say } from '../measure';
import type { BenchOptions } from '../options';
import { makePartners } from '../partners';
import type { BenchRow } from '../report';
import { startBareExpress } from '../yardsticks/bare-express';
import { COST_OPERATIONS } from './cost-operations';
import type { CostOperation, RunOperation } from './cost-operations';
import { CostSubject, newCost, WARM_UP_MOST_S } from './cost-subject';
import type { Cost } from './cost-subject';
import {
  changesPerOperation,
  commitsPerOperation,
  cpuPerOperation,
  renderCosts,
  walKbPerOperation,
} from './cost-table';
import { COUNTS_SETTLE_MS } from './database-counters';
import { doNothing, perSecond, withoutIdle } from './idle';
import { cpuOf } from './process-cpu';

const IDLE_S = 4;
const LOGGED_S = 1;
const EXPRESS_S = 3;
const EXPRESS_READERS = 32;
const EXPRESS_WARM_UP = 10_000;

/** Measures what hot operations cost, of this build and of the one it is held against, in turn; prints a table for each. */
export async function benchCosts(options: BenchOptions): Promise<BenchRow[]> {
  const operations = COST_OPERATIONS.filter(
    ({ group }) => options.only === undefined || options.only === group,
  );
  // What was before stands in the first column.
  const clones = options.against === undefined ? [undefined] : [path.resolve(options.against), undefined];
  const subjects: CostSubject[] = [];
  try {
    for (const clone of clones)
      subjects.push(
        await CostSubject.start({}, clone === undefined ? {} : { apps: path.join(clone, 'dist/apps') }),
      );
    say(`preparing ${operations.map(({ name }) => name).join('; ')} …`);
    const total = WARM_UP_MOST_S + options.rounds * options.seconds + LOGGED_S;
    const runs = new Map<CostOperation, RunOperation[]>();
    for (const operation of operations) {
      const made: RunOperation[] = [];
      for (const { platform } of subjects) made.push(await operation.prepare(platform, total));
      runs.set(operation, made);
    }
    const expressMs = await measureExpress(subjects.at(-1)!.platform);
    say(`bare Express: ${expressMs.toFixed(4)} ms of CPU for a request`);
    await pause(COUNTS_SETTLE_MS);
    const idle = await Promise.all(subjects.map(measureIdle));
    const names = namesOf(clones);
    say(`\n${renderCosts('Idle, each second', names, idle)}\n`);
    const rows: BenchRow[] = [];
    for (const operation of operations) {
      const gross = await measureCosts(operation, subjects, runs.get(operation) ?? [], options);
      const costs = gross.map((cost, at) => withoutIdle(cost, idle[at]!));
      say(`\n${renderCosts(`${operation.name}, each`, names, costs)}\n`);
      rows.push(...toRows(operation, costs.at(-1)!, expressMs));
    }
    return rows;
  } finally {
    for (const subject of subjects) await subject.stop();
  }
}

/** What a platform costs by itself. */
async function measureIdle(subject: CostSubject): Promise<Cost> {
  const cost = newCost();
  await subject.count();
  await subject.measure(doNothing, IDLE_S, cost);
  await subject.countStatements(doNothing, LOGGED_S, cost);
  await subject.count(cost);
  return perSecond(cost);
}

/** Rounds of each build in turn, so that a machine that slows down slows both. */
async function measureCosts(
  operation: CostOperation,
  subjects: readonly CostSubject[],
  runs: readonly RunOperation[],
  options: BenchOptions,
): Promise<Cost[]> {
  say(`measuring ${operation.name} …`);
  const costs = subjects.map(newCost);
  for (const [at, subject] of subjects.entries()) await subject.warmUp(runs[at]!, costs[at]!);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [at, subject] of subjects.entries()) {
      await subject.measure(runs[at]!, options.seconds, costs[at]!);
    }
  }
  for (const [at, subject] of subjects.entries()) {
    await subject.countStatements(runs[at]!, LOGGED_S, costs[at]!);
  }
  await pause(COUNTS_SETTLE_MS);
  for (const [at, subject] of subjects.entries()) await subject.count(costs[at]!);
  return costs;
}

const namesOf = (clones: readonly (string | undefined)[]): string[] =>
  clones.map((clone) => path.basename(clone ?? findRoot()));

/** The figures that wander least, for the table and the history. */
function toRows({ name, reach }: CostOperation, cost: Cost, expressMs: number): BenchRow[] {
  const row = (what: string, unit: string, measured: number, most: number | undefined): BenchRow => ({
    work: `${name}: ${what}`,
    target: most === undefined ? '–' : `≤ ${most} ${unit}`,
    measured,
    unit,
    yardstick: null,
    ratio: null,
    isReached: measured <= (most ?? Infinity) && cost.failures === 0,
    note: cost.failures > 0 ? `${cost.failures} failed` : '',
  });
  const cpu = cpuPerOperation(cost);
  return [
    {
      ...row('CPU', 'ms', cpu, undefined),
      target: `≤ ${reach.timesExpress} × a bare Express app's`,
      yardstick: expressMs,
      ratio: cpu / expressMs,
      isReached: cpu <= reach.timesExpress * expressMs && cost.failures === 0,
    },
    row('WAL', 'KB', walKbPerOperation(cost), reach.walKb),
    row('row changes', 'rows', changesPerOperation(cost), reach.rowChanges),
    row('commits', 'commits', commitsPerOperation(cost), undefined),
  ];
}

/** CPU of a bare Express app for one request, the unit that operations are compared in. */
async function measureExpress(platform: StartedPlatform): Promise<number> {
  const [partner] = await makePartners(platform, 1);
  const { url, pid, stop } = await startBareExpress(platform, partner!);
  const load = { url: `${url}/api/v1/wallet/balance`, token: await partner!.sandbox.accessToken() };
  const read = (seconds: number): Promise<LoadResult> =>
    readRepeatedly({ ...load, connections: EXPRESS_READERS, seconds });
  // Until its code is compiled, which takes requests rather than seconds.
  for (let warm = 0, tries = 0; warm < EXPRESS_WARM_UP && tries < 10; tries += 1) {
    warm += (await read(1)).count;
  }
  const before = cpuOf(pid);
  const { count, failures } = await read(EXPRESS_S);
  const used = cpuOf(pid) - before;
  stop();
  if (failures > 0) throw new Error(`${failures} requests to the bare Express app failed`);
  return used / count;
}
