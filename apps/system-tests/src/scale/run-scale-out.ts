import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { SHORT_TIMES, startCrashPlatform, type CrashPlatform } from '../crash/crash-platform';
import { until } from '../until';
import { sayFaults } from '../drill/say-faults';
import { allInstances, untilInstanceReady } from '../platform/instances';
import { reconcile } from '../reconcile';
import { runScentStorm } from '../storm/run-scent-storm';
import { runStorm } from '../storm/run-storm';
import { Random } from '../storm/random';
import { befallInstances, type FaultCounts } from './faults';
import { isLate, PatientOperatorClient } from './fleet-client';
import { startDependencies, type Dependencies } from './dependencies';
import type { ScaleOptions } from './options';
import { untilQuiet } from './quiet';
import { restartAll, type Stop } from './rolling';
import { SteadyLoad } from './steady-load';
import { workTable } from './table';
import { checkSteadyLoad, countRepeated } from './verdict';
import { WorkWatch, type Work } from './work';

/** What a run came to. */
export interface ScaleResult {
  readonly responses: number;
  readonly orders: number;
  /** Requests that were without a response, or with a 5xx; what a client may meet while instances die, and never while they stop. */
  readonly failures: readonly string[];
  readonly slowestMs: number;
  readonly repeatedWebhooks: number;
  readonly work: ReadonlyMap<string, Work>;
  readonly faults: FaultCounts;
  readonly stops: readonly Stop[];
  /** Empty when all is well. */
  readonly violations: readonly string[];
}

/** So that clients learn by a response that an instance leaves, before it takes no more; a full machine needs longer to respond. */
const delayMs = ({ isTimed }: ScaleOptions): number => (isTimed ? 400 : 2_000);
const GRACE_MS = 15_000;
const WARM_UP_MS = 1_500;
/** For requests that began while the last instance died to end. */
const SETTLE_MS = 2_000;

/** A lease that a cold process on a busy machine outlives, wherever nothing may go wrong. */
const LEASES = {
  kills: {},
  both: { SAGA_LEASE_MS: '5000' },
  rolling: { SAGA_LEASE_MS: '15000' },
};

/** What goes on beside the load, from its beginning; resolves with what ends it. */
export type Beside = (platform: CrashPlatform) => Promise<() => Promise<void>>;

/** Runs a platform of several instances under load while they die or are restarted, and checks what is left. */
export async function runScaleOut(options: ScaleOptions, beside?: Beside): Promise<ScaleResult> {
  const dependencies = await startDependencies(options);
  try {
    const platform = await startCrashPlatform({
      ...SHORT_TIMES,
      ...LEASES[options.mode],
      ...dependencies.env,
      PLATFORM_INSTANCES: String(options.instances),
      WEBHOOK_RETRY_BASE_MS: '300',
      WEBHOOK_RETRY_CAP_MS: '1000',
      SHUTDOWN_DELAY_MS: String(delayMs(options)),
      SHUTDOWN_GRACE_MS: String(GRACE_MS),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    });
    let result: ScaleResult;
    try {
      const end = await beside?.(platform);
      result = await run(platform, dependencies, options).finally(end);
    } finally {
      await platform.stop();
    }
    return result;
  } finally {
    await dependencies.remove();
  }
}

async function run(
  platform: CrashPlatform,
  dependencies: Dependencies,
  options: ScaleOptions,
): Promise<ScaleResult> {
  const load = new SteadyLoad(platform.description, options.seed, options.workers, options.pauseMs);
  const watch = new WorkWatch();
  try {
    return await runUnder(load, watch, platform, dependencies, options);
  } finally {
    // After a failure both are still at work.
    await load.stop();
    await watch.stop();
    await load.receiver?.stop();
  }
}

async function runUnder(
  load: SteadyLoad,
  watch: WorkWatch,
  platform: CrashPlatform,
  dependencies: Dependencies,
  options: ScaleOptions,
): Promise<ScaleResult> {
  const violations: string[] = [];
  await load.prepare();
  watch.start();
  load.start();
  await pause(WARM_UP_MS);
  let faults: FaultCounts = {};
  let stops: Stop[] = [];
  if (options.mode !== 'rolling') {
    const storming = options.hasStorms ? storms(platform, options, violations) : undefined;
    [faults] = await Promise.all([befallAll(dependencies, options), storming]);
    await untilAllReady();
    await pause(SETTLE_MS);
  }
  const failuresOf = (): string[] =>
    [load.gateways, load.backoffices].flatMap((fleet) =>
      fleet.failures
        .filter((failure) => options.isTimed || !isLate(failure))
        .map(({ at, what, tookMs }) => `${at} ${what}, after ${tookMs} ms`),
    );
  const whileKilled = new Set(failuresOf());
  if (options.mode !== 'kills') stops = await restartAll(() => platform.said(), options.restarted);
  await load.stop();
  // Before the books are read, by clients that repeat what fails.
  const failures = failuresOf();
  await untilQuiet();
  await until('each member has partitions', () => watch.idlePartitions().length === 0, 30_000).catch(
    () => undefined,
  );
  await watch.stop();
  violations.push(
    ...load.surprises,
    ...(await checkSteadyLoad(load)),
    ...(await reconcile(load.operator)).faults,
  );
  violations.push(...watch.idle());
  violations.push(...stops.flatMap((stop) => unclean(stop, delayMs(options) + GRACE_MS)));
  const whileRestarted = failures.filter((failure) => !whileKilled.has(failure));
  // One of each is away while it starts again; what it had accepted it must have served. Of several, none may be missed, but a
  // machine that is full is refused at the door (spec §14.2), which says nothing about restarts: the drill alone is held to that.
  const mayBe = options.instances > 1 && options.isTimed ? /^$/ : /SERVICE_UNAVAILABLE/;
  if (options.mode !== 'kills')
    for (const failure of whileRestarted.filter((one) => !mayBe.test(one)))
      violations.push(failure, ...linesAbout(failure, platform));
  if (options.mode === 'rolling' && countRepeated(load) > 0)
    violations.push(`${countRepeated(load)} webhooks came twice`);
  return {
    responses: load.gateways.responses + load.backoffices.responses,
    orders: load.acknowledged.size,
    failures,
    slowestMs: Math.max(load.gateways.slowestMs, load.backoffices.slowestMs),
    repeatedWebhooks: countRepeated(load),
    work: watch.table(),
    faults,
    stops,
    violations,
  };
}

/** What the services' logs say of the request of a failed response, for who looks for its cause. */
function linesAbout(failure: string, { file }: CrashPlatform): string[] {
  const requestId = /"requestId":"([^"]+)"/.exec(failure)?.[1];
  if (!requestId) return [];
  const logs = path.join(path.dirname(file), 'logs');
  return readdirSync(logs).flatMap((log) =>
    readFileSync(path.join(logs, log), 'utf8')
      .split('\n')
      .filter((line) => line.includes(requestId))
      .map((line) => `  ${log}: ${line}`),
  );
}

function unclean({ name, exit, tookMs }: Stop, longestMs: number): string[] {
  return [
    ...(exit === 'exit code 0' ? [] : [`${name} ended with ${exit}`]),
    ...(tookMs <= longestMs ? [] : [`${name} took ${tookMs} ms to stop`]),
  ];
}

async function untilAllReady(): Promise<void> {
  for (const { name } of allInstances()) await untilInstanceReady(name);
}

async function befallAll(
  dependencies: Dependencies,
  { seed, seconds, leastFaults }: ScaleOptions,
): Promise<FaultCounts> {
  const until = performance.now() + seconds * 1_000;
  return befallInstances(
    new Random(seed),
    dependencies.all,
    (struck) => struck >= leastFaults && performance.now() > until,
  );
}

/** Storms against their model (ADR 0017) for as long as instances die, each over another gateway. */
async function storms(platform: CrashPlatform, options: ScaleOptions, violations: string[]): Promise<void> {
  const { seed, seconds } = options;
  const until = performance.now() + seconds * 1_000;
  const at = (index: number): PatientOperatorClient => {
    const gateways = platform.description.instances['gateway'] ?? [];
    const gatewayUrl = gateways[index % gateways.length]?.url ?? '';
    return new PatientOperatorClient({ ...platform.description, gatewayUrl });
  };
  const repeat = async (name: string, index: number, storm: typeof runStorm): Promise<void> => {
    for (let next = 0; next === 0 || performance.now() < until; next += 1) {
      const own = (seed * 7 + index * 1_000 + next) % 1_000_000_000;
      const { faults, orders, seconds: took } = await storm(own, platform, at(index));
      say(`  storm ${own}, ${name}: ${orders} orders, ${took.toFixed(1)} s, ${faults.length} faults`);
      violations.push(...faults.map((fault) => `storm ${own}, ${name}: ${fault}`));
    }
  };
  await Promise.all([repeat('top-ups and eSIMs', 0, runStorm), repeat('carts', 1, runScentStorm)]);
}

/** Runs it and prints what happened; returns whether nothing was violated. */
export async function scaleOut(options: ScaleOptions): Promise<boolean> {
  const { mode, instances, seconds, seed, bus, isPooled } = options;
  say(
    `${instances} instances of every service, events over ${bus}${isPooled ? ', through PgBouncer' : ''}, seed ${seed}, ${mode}${mode === 'rolling' ? '' : ` for ${seconds} s`}`,
  );
  const result = await runScaleOut(options);
  describeScaleOut(result);
  return sayFaults({ 'nothing lost, nothing doubled, nobody idle': result.violations });
}

/** Prints what happened, but for what must not have. */
export function describeScaleOut(result: ScaleResult): void {
  say('');
  for (const line of workTable(result.work)) say(line);
  say('');
  for (const { name, exit, tookMs } of result.stops) say(`${name} stopped with ${exit} after ${tookMs} ms`);
  for (const [fault, times] of Object.entries(result.faults)) say(`${fault}: ${times}`);
  say(
    `${result.responses} responses, ${result.orders} orders, ${result.failures.length} requests without a response or with a 5xx, ${result.repeatedWebhooks} webhooks repeated`,
  );
}
