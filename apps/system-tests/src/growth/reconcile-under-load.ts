import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { say } from '../bench/measure';
import { makePartners } from '../bench/partners';
import { placeTopup } from '../bench/topup-load';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { readPlatformFile } from '../platform/platform-file';
import { rowsOf } from '../platform/rows-of';
import { startPlatform } from '../platform/start-platform';
import { reconcile } from '../reconcile';
import { untilQuiet } from '../scale/quiet';
import { sayFaults } from '../drill/say-faults';
import { numberOption, wholeNumber } from './whole-numbers';
import { percentile } from '../percentile';

/** How much load there is, and how fast the reconciler is to go through everything. */
interface ReconcileDrillOptions {
  /** Orders a second. */
  readonly rate: number;
  readonly minutes: number;
  /** Seconds from one run of the reconciler to the next, and for a pass through everything. */
  readonly interval: number;
  readonly pass: number;
}

/** Reads the command line: --rate=200 --minutes=8 --interval=60 --pass=120. */
export function parseReconcileDrillOptions(args: string[]): ReconcileDrillOptions {
  const { values } = parseArgs({
    args,
    options: {
      rate: numberOption(200),
      minutes: numberOption(8),
      interval: numberOption(60),
      pass: numberOption(120),
    },
  });
  return {
    rate: wholeNumber(values, 'rate'),
    minutes: wholeNumber(values, 'minutes'),
    interval: wholeNumber(values, 'interval'),
    pass: wholeNumber(values, 'pass'),
  };
}

const WALLETS = 16;
const CONNECTIONS = 64;
/** Of the orders, those that may be refused: a machine that all of it shares is late at times. */
const REFUSED_LIMIT = 0.01;
/** Services with a reconciler. */
const OWNERS = ['finance', 'orders-saga', 'scent-commerce'];

/**
 * `npm run reconcile-drill`: places so many orders a second while the reconciler works by itself, with its clock wound up, so that what
 * takes hours elsewhere is seen in minutes. Holds that orders are served, that every check comes through everything in its time, and
 * that all agrees in the end. Returns whether all of it held.
 */
export async function runReconcileDrill(options: ReconcileDrillOptions): Promise<boolean> {
  const platform = await startPlatform({
    ACCESS_LOG: 'off',
    RECONCILE_INTERVAL_MS: String(options.interval * 1_000),
    RECONCILE_PASS_MS: String(options.pass * 1_000),
  });
  try {
    process.env.PLATFORM_JSON = platform.file;
    const operator = new OperatorClient(platform.description);
    const partners = await makePartners(platform, WALLETS);
    const over = new AbortController();
    const watch = watchPasses(over.signal);
    const startedAt = performance.now();
    const load = await placeSteadily(partners, platform.description.gatewayUrl, options).finally(() =>
      over.abort(),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    const passes = await watch;
    const checking = await secondsInChecks();
    say(
      `  ${load.placed} orders, ${load.refused} refused, p99 ${load.p99Ms.toFixed(0)} ms; ` +
        `checks took ${checking.toFixed(0)} s of ${seconds.toFixed(0)}, ${((checking / seconds) * 100).toFixed(1)} % of the time`,
    );
    await untilQuiet();
    const { compared, faults } = await reconcile(operator);
    say(`  ${compared} compared at the end, ${faults.length} differences`);
    return sayFaults({
      orders:
        load.refused > load.placed * REFUSED_LIMIT ? [`${load.refused} of ${load.placed} were refused`] : [],
      passes: latePasses(passes, options),
      agreement: faults,
    });
  } finally {
    await platform.stop();
  }
}

interface SteadyLoad {
  readonly placed: number;
  readonly refused: number;
  readonly p99Ms: number;
}

/** One order after another at an even pace, whether those before have their responses or not. */
async function placeSteadily(
  partners: readonly TestPartner[],
  gatewayUrl: string,
  { rate, minutes }: ReconcileDrillOptions,
): Promise<SteadyLoad> {
  const pool = new Pool(gatewayUrl, { connections: CONNECTIONS, pipelining: 1 });
  const latencies: number[] = [];
  let refused = 0;
  const underWay = new Set<Promise<void>>();
  const place = async ({ sandbox }: TestPartner): Promise<void> => {
    const sentAt = performance.now();
    if (await placeTopup(pool, await sandbox.accessToken())) latencies.push(performance.now() - sentAt);
    else refused += 1;
  };
  const total = rate * minutes * 60;
  const startedAt = performance.now();
  for (let n = 0; n < total; n += 1) {
    const early = startedAt + (n * 1_000) / rate - performance.now();
    if (early > 1) await pause(early);
    const partner = partners[n % partners.length];
    if (!partner) throw new Error('there is no partner');
    const one: Promise<void> = place(partner).finally(() => underWay.delete(one));
    underWay.add(one);
    if (n > 0 && n % (rate * 60) === 0) say(`  ${n} placed`);
  }
  await Promise.all(underWay);
  await pool.close();
  return { placed: total, refused, p99Ms: percentile(latencies, 0.99) };
}

/** The seconds between the ends of each check's passes, by check. */
async function watchPasses(over: AbortSignal): Promise<ReadonlyMap<string, number[]>> {
  const ends = new Map<string, number[]>();
  while (!over.aborted) {
    for (const owner of OWNERS) {
      const rows = await rowsOf<{ name: string; end: number | null }>(
        owner,
        'SELECT name, extract(epoch FROM pass_completed_at)::float8 AS "end" FROM reconciliation_checks',
      );
      for (const { name, end } of rows) {
        const known = ends.get(`${owner} ${name}`) ?? [];
        if (end !== null && known.at(-1) !== end) known.push(end);
        ends.set(`${owner} ${name}`, known);
      }
    }
    await pause(1_000, undefined, { signal: over }).catch(() => undefined);
  }
  const gaps = ([check, all]: [string, number[]]): [string, number[]] => [
    check,
    all.slice(1).map((end, n) => end - (all[n] ?? end)),
  ];
  return new Map([...ends].map(gaps));
}

/** Checks whose passes took longer than they were to, or of which the drill did not see two ends. */
function latePasses(
  passes: ReadonlyMap<string, number[]>,
  { interval, pass }: ReconcileDrillOptions,
): string[] {
  return [...passes].flatMap(([check, gaps]) => {
    const longest = Math.max(...gaps);
    say(`  ${check.padEnd(48)} ${gaps.length + 1} passes, at most ${longest.toFixed(0)} s`);
    if (gaps.length === 0) return [`${check} came through everything less than twice`];
    return longest > pass + interval ? [`${check} took ${longest.toFixed(0)} s for a pass of ${pass}`] : [];
  });
}

/** What all checks of all instances have taken since their start, in seconds. */
async function secondsInChecks(): Promise<number> {
  const instances = OWNERS.flatMap((owner) => readPlatformFile().instances[owner] ?? []);
  const texts = await Promise.all(
    instances.map(async ({ healthUrl }) => (await fetch(`${healthUrl}/metrics`)).text()),
  );
  const sums = texts.flatMap((text) => [...text.matchAll(/^reconciliation_run_seconds_sum\{.*\} (\S+)$/gm)]);
  return sums.reduce((sum, [, seconds]) => sum + Number(seconds), 0);
}
