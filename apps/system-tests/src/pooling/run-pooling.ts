import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { chooseFrom, runEach } from '../drill/run-each';
import { describeScaleOut, runScaleOut, type ScaleResult } from '../scale/run-scale-out';
import { PAUSE_MS, WORKERS, type ScaleOptions } from '../scale/options';
import { comparePooling } from './cost-of-pooling';
import { ConnectionWatch, type MostConnections } from './connection-watch';
import { Crowd } from './crowd';
import { pgbouncerMissing } from './pgbouncer';

/** How long, and how many stand at the pooler. */
interface PoolingOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Of each service, of which two run and the others' connections stand at the pooler. */
  readonly instances: number;
  readonly parts: readonly PartName[];
}

/** What the drill does. */
const PARTS = {
  cost: 'what a top-up costs with and without PgBouncer',
  'scale-out': 'scale-out, with the connections of many more instances',
} as const;
type PartName = keyof typeof PARTS;

/** What PgBouncer is allowed of PostgreSQL, for all services together (the local platform's pool sizes). */
const MOST_SERVERS = 40;
/** The most that an instance needs past the pooler, over all that run. */
const DIRECT_OF_A_SET = 14;
const RUNNING = 2;
/** The longest that a caller waits, whatever befalls the pooler. */
const RESPONSE_MS = 20_000;

/** Reads the command line: --seconds=60 --seed=1 --instances=10 --only=scale-out. */
export function parsePoolingOptions(args: string[]): PoolingOptions {
  const text = (value: string) => ({ type: 'string', default: value }) as const;
  const { values } = parseArgs({
    args,
    options: {
      seconds: text('60'),
      seed: text(String(Date.now() % 1_000_000_000)),
      instances: text('10'),
      only: { type: 'string' },
    },
  });
  return {
    seconds: Number(values.seconds),
    seed: Number(values.seed),
    instances: Number(values.instances),
    parts: chooseFrom(PARTS, 'only', values.only),
  };
}

/** The scale-out suite through PgBouncer, at which many more clients stand than PostgreSQL has connections for. */
export async function scaleOutThroughPooler(
  options: ScaleOptions,
  instances: number,
): Promise<ScaleResult & { most: MostConnections }> {
  let crowd: Crowd | undefined;
  let watch: ConnectionWatch | undefined;
  const stop = async (): Promise<void> => {
    await crowd?.leave();
    await watch?.stop();
  };
  try {
    const result = await runScaleOut({ ...options, isPooled: true }, async ({ description }) => {
      watch = new ConnectionWatch(description);
      crowd = new Crowd(description);
      await crowd.gather(Math.max(0, instances - options.instances));
      return stop;
    });
    describeScaleOut(result);
    const most = watch?.most ?? { clients: 0, waiting: 0, servers: 0, direct: 0 };
    say(
      `at most ${most.clients} clients at PgBouncer, ${most.waiting} of them waiting; ${most.servers} server connections, and ` +
        `${most.direct} past it; the slowest response took ${(result.slowestMs / 1_000).toFixed(1)} s; ` +
        `${crowd?.transactions ?? 0} transactions of clients that stood there`,
    );
    return {
      ...result,
      most,
      violations: [
        ...result.violations,
        ...(most.servers > MOST_SERVERS ? [`PostgreSQL had ${most.servers} connections of PgBouncer's`] : []),
        ...(most.direct > DIRECT_OF_A_SET * options.instances
          ? [`${most.direct} connections went past it`]
          : []),
        ...(result.slowestMs > RESPONSE_MS ? [`a response took ${result.slowestMs} ms`] : []),
      ],
    };
  } finally {
    await stop();
  }
}

/** Runs the parts of the drill; returns whether each ended with everything as it must be. */
export async function runPooling({ seconds, seed, instances, parts }: PoolingOptions): Promise<boolean> {
  const missing = pgbouncerMissing();
  if (missing) throw new Error(`${missing}: apt-get install pgbouncer`);
  const scale: ScaleOptions = {
    mode: 'both',
    instances: RUNNING,
    seconds,
    seed,
    bus: 'postgres',
    workers: WORKERS,
    pauseMs: PAUSE_MS,
    hasStorms: true,
    restarted: 'every',
    isTimed: false,
    leastFaults: 0,
    isPooled: true,
  };
  const runs: Record<PartName, () => Promise<readonly string[]>> = {
    cost: () => comparePooling(Math.min(10, seconds)),
    'scale-out': async () => (await scaleOutThroughPooler(scale, instances)).violations,
  };
  return runEach(
    parts,
    (name) => `${PARTS[name]}, seed ${seed}`,
    (name) => runs[name](),
  );
}
