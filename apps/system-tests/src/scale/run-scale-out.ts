import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { SHORT_TIMES, startCrashPlatform, type CrashPlatform } from '../crash/crash-platform';
import { until } from '../crash/until';
import { runScentStorm } from '../storm/run-scent-storm';
import { runStorm } from '../storm/run-storm';
import { OperatorClient } from '../clients/operator-client';
import { Random } from '../storm/random';
import { befallInstances, type FaultCounts } from './faults';
import { startNeighbours, type Neighbours } from './neighbours';
import type { ScaleOptions } from './options';
import { untilQuiet } from './quiet';
import { restartAll, type Stop } from './rolling';
import { SteadyLoad } from './steady-load';
import { workTable } from './table';
import { checkRecords, checkSteadyLoad, countRepeated } from './verdict';
import { WorkWatch, type Work } from './work';

/** What a run came to. */
export interface ScaleResult {
  readonly answered: number;
  readonly orders: number;
  /** Requests that were not answered, or by 5xx; what a client may meet while instances die, and never while they stop. */
  readonly failures: readonly string[];
  readonly repeatedWebhooks: number;
  readonly work: ReadonlyMap<string, Work>;
  readonly faults: FaultCounts;
  readonly stops: readonly Stop[];
  /** Empty when all is well. */
  readonly violations: readonly string[];
}

/** So that clients learn by an answer that an instance leaves, before it takes no more. */
const DELAY_MS = 400;
const GRACE_MS = 15_000;
const WARM_UP_MS = 1_500;

/** Runs a platform of several instances under load while they die or are restarted, and checks what is left. */
export async function runScaleOut(options: ScaleOptions): Promise<ScaleResult> {
  const neighbours = await startNeighbours(options);
  try {
    const platform = await startCrashPlatform({
      ...SHORT_TIMES,
      ...neighbours.env,
      PLATFORM_INSTANCES: String(options.instances),
      WEBHOOK_RETRY_BASE_MS: '300',
      WEBHOOK_RETRY_CAP_MS: '1000',
      SHUTDOWN_DELAY_MS: String(DELAY_MS),
      SHUTDOWN_GRACE_MS: String(GRACE_MS),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    });
    let result: ScaleResult;
    try {
      result = await run(platform, neighbours, options);
    } finally {
      await platform.stop();
    }
    return result;
  } finally {
    await neighbours.remove();
  }
}

async function run(
  platform: CrashPlatform,
  neighbours: Neighbours,
  options: ScaleOptions,
): Promise<ScaleResult> {
  const load = new SteadyLoad(platform.description, options.seed);
  const watch = new WorkWatch();
  const violations: string[] = [];
  await load.prepare();
  watch.start();
  load.start();
  await pause(WARM_UP_MS);
  let faults: FaultCounts = {};
  let stops: Stop[] = [];
  if (options.mode === 'rolling') stops = await restartAll(() => platform.said());
  else
    [faults] = await Promise.all([
      stormInstances(neighbours, options),
      storms(platform, options, violations),
    ]);
  await load.stop();
  await untilQuiet();
  await until('each member has partitions', () => watch.idlePartitions().length === 0, 30_000).catch(
    () => undefined,
  );
  await watch.stop();
  violations.push(...load.surprises, ...(await checkSteadyLoad(load)), ...(await checkRecords(load)));
  violations.push(...watch.idle());
  violations.push(...stops.flatMap(unclean));
  const failures = [...load.gateways.failures, ...load.backoffices.failures].map(
    ({ at, what }) => `${at} ${what}`,
  );
  if (options.mode === 'rolling') {
    if (options.instances > 1) violations.push(...failures);
    // One of each is away while it starts again; what it had accepted it must have answered.
    else violations.push(...failures.filter((failure) => !/SERVICE_UNAVAILABLE/.test(failure)));
    if (countRepeated(load) > 0) violations.push(`${countRepeated(load)} webhooks came twice`);
  }
  await load.receiver.stop();
  return {
    answered: load.gateways.answered + load.backoffices.answered,
    orders: load.acknowledged.size,
    failures,
    repeatedWebhooks: countRepeated(load),
    work: watch.table(),
    faults,
    stops,
    violations,
  };
}

function unclean({ name, exit, tookMs }: Stop): string[] {
  return [
    ...(exit === 'exit code 0' ? [] : [`${name} ended with ${exit}`]),
    ...(tookMs <= DELAY_MS + GRACE_MS ? [] : [`${name} took ${tookMs} ms to stop`]),
  ];
}

async function stormInstances(neighbours: Neighbours, { seed, seconds }: ScaleOptions): Promise<FaultCounts> {
  const until = performance.now() + seconds * 1_000;
  return befallInstances(new Random(seed), neighbours.all, () => performance.now() > until);
}

/** Storms against their model (ADR 0073) for as long as instances die, each over another gateway. */
async function storms(platform: CrashPlatform, options: ScaleOptions, violations: string[]): Promise<void> {
  const { seed, seconds } = options;
  const until = performance.now() + seconds * 1_000;
  const at = (index: number): OperatorClient => {
    const gateways = platform.description.instances['gateway'] ?? [];
    const gatewayUrl = gateways[index % gateways.length]?.url ?? '';
    return new OperatorClient({ ...platform.description, gatewayUrl });
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

/** Runs it and prints what happened; answers whether nothing was violated. */
export async function scaleOut(options: ScaleOptions): Promise<boolean> {
  const { mode, instances, seconds, seed, bus } = options;
  say(
    `${instances} instances of every service, events over ${bus}, seed ${seed}, ${mode}${mode === 'kills' ? ` for ${seconds} s` : ''}`,
  );
  const result = await runScaleOut(options);
  say('');
  for (const line of workTable(result.work)) say(line);
  say('');
  for (const { name, exit, tookMs } of result.stops) say(`${name} stopped with ${exit} after ${tookMs} ms`);
  for (const [fault, times] of Object.entries(result.faults)) say(`${fault}: ${times}`);
  say(
    `${result.answered} answers, ${result.orders} orders, ${result.failures.length} requests not answered or by 5xx, ${result.repeatedWebhooks} webhooks repeated`,
  );
  for (const violation of result.violations) say(`VIOLATED  ${violation}`);
  say(
    result.violations.length === 0
      ? 'nothing lost, nothing doubled, nobody idle'
      : `${result.violations.length} violations`,
  );
  return result.violations.length === 0;
}
