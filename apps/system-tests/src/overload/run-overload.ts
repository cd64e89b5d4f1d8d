import { setTimeout as pause } from 'node:timers/promises';
import { describeMachine } from '../bench/report';
import { say } from '../bench/measure';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { startPlatform, type StartedPlatform } from '../platform/start-platform';
import { checkBooks } from './check-books';
import { countCpu } from './cpu-use';
import { countDeadlocks } from './deadlocks';
import { figuresOf, timeUntilRate, type Figures } from './figures';
import type { Sample, Sender } from './load';
import { startLoadProcess, type LoadProcess } from './load-process';
import type { OverloadOptions } from './options';
import { renderSteps, type Step } from './table';

const DEPOSIT = 50_000_000;
/** Connections of the runs that find the peak, each sending its next order when it has its response. */
const AT_ONCE = [16, 32, 64, 128];
const WARM_UP_SECONDS = 5;
/** How long the peak is tried again once the load is gone. */
const RECOVERY_SECONDS = 8;
/** What two partners beside the flood send a second. */
const BYSTANDER_PER_SECOND = 5;

interface Peak {
  readonly perSecond: number;
  readonly atOnce: number;
}

/** Who sends: the one whose load is drawn up, and one that sends a little beside it. */
interface Drill {
  readonly gatewayUrl: string;
  readonly platformFile: string;
  readonly load: LoadProcess;
  readonly flood: TestPartner;
  readonly bystander: TestPartner;
  readonly samples: Sample[];
}

/** Offers multiples of the peak on a platform of its own and prints what came of them; resolves whether all is as it should be. */
export async function runOverload(options: OverloadOptions): Promise<boolean> {
  const { cores, cpu, memoryGiB } = describeMachine();
  say(`${cores} cores (${cpu}), ${memoryGiB} GiB; everything runs on it, the sender of the load too`);
  const platform = await startPlatform({ ACCESS_LOG: 'off' });
  process.env.PLATFORM_JSON = platform.file;
  const load = startLoadProcess();
  try {
    const checks = await drill(platform, load, options);
    for (const [isHeld, what] of checks) say(`${isHeld ? 'ok     ' : 'FAILED '} ${what}`);
    const failed = checks.filter(([isHeld]) => !isHeld).length;
    say(`\n${checks.length - failed} passed, ${failed} failed`);
    return failed === 0;
  } finally {
    load.stop();
    await platform.stop();
  }
}

type Check = readonly [isHeld: boolean, what: string];

async function drill(
  platform: StartedPlatform,
  load: Drill['load'],
  { seconds, peakSeconds, factors }: OverloadOptions,
): Promise<Check[]> {
  const { gatewayUrl, databases } = platform.description;
  const operator = new OperatorClient(platform.description);
  const [flood, bystander] = [
    await operator.newPartner({ deposit: DEPOSIT }),
    await operator.newPartner({ deposit: DEPOSIT }),
  ];
  const context: Drill = { gatewayUrl, platformFile: platform.file, load, flood, bystander, samples: [] };
  const before = await countDeadlocks(databases);
  const peak = await findPeak(context, peakSeconds);
  say(`the peak: ${peak.perSecond.toFixed(0)} orders/s, with ${peak.atOnce} at once\n`);
  const steps: Step[] = [];
  for (const factor of factors) steps.push(await offer(context, peak, factor, seconds));
  say(`\n${renderSteps(steps, peak.perSecond)}\n`);
  const after = await countDeadlocks(databases);
  const deadlocks = Object.entries(after).map(
    ([name, count]) => [name, count - (before[name] ?? 0)] as const,
  );
  const books = await Promise.all(
    [flood, bystander].map((partner) => {
      const name = partner === flood ? 'flood' : 'bystander';
      return checkBooks(
        partner,
        DEPOSIT,
        context.samples.filter(({ sender }) => sender.startsWith(name)),
      );
    }),
  );
  return [
    ...steps.flatMap((step) => checksOf(step, peak.perSecond)),
    [
      deadlocks.every(([, count]) => count === 0),
      `no deadlock (${deadlocks.map(([name, count]) => `${name} ${count}`).join(', ')})`,
    ],
    [
      books.flat().length === 0,
      `books exact${books
        .flat()
        .map((fault) => `; ${fault}`)
        .join('')}`,
    ],
  ];
}

async function send(drill: Drill, prefix: string, senders: readonly Sender[]): Promise<Sample[]> {
  const samples = await drill.load.run({ gatewayUrl: drill.gatewayUrl, prefix, senders });
  for (const one of samples) if (one.sender !== 'bystander reads') drill.samples.push(one);
  return samples;
}

/** The most orders a second of several closed loops, which never have more under way than they have connections. */
async function findPeak(drill: Drill, seconds: number): Promise<Peak> {
  const measure = async (atOnce: number, over: number, prefix: string): Promise<Peak> => {
    const token = await drill.flood.sandbox.accessToken();
    const sender: Sender = { name: 'flood', token, sends: 'topup', atOnce, seconds: over };
    const { goodput, p99 } = figuresOf(await send(drill, prefix, [sender]), over);
    say(`${prefix}: ${goodput.toFixed(0)} orders/s, p99 ${Math.round(p99)} ms`);
    return { perSecond: goodput, atOnce };
  };
  await measure(AT_ONCE[0] ?? 1, WARM_UP_SECONDS, 'warm-up');
  const found: Peak[] = [];
  for (const atOnce of AT_ONCE) found.push(await measure(atOnce, seconds, `${atOnce} at once`));
  return found.reduce((best, one) => (one.perSecond > best.perSecond ? one : best));
}

/** Offers a multiple of the peak, then tries the peak again from the moment that load is gone. */
async function offer(drill: Drill, peak: Peak, factor: number, seconds: number): Promise<Step> {
  say(`offering ${factor} × the peak for ${seconds} s …`);
  const token = await drill.flood.sandbox.accessToken();
  const other = await drill.bystander.sandbox.accessToken();
  const used = countCpu(drill.platformFile, drill.load.pid);
  const cpu = pause(seconds * 1_000).then(used);
  const samples = await send(drill, `${factor}x`, [
    { name: 'flood', token, sends: 'topup', perSecond: factor * peak.perSecond, seconds },
    { name: 'bystander', token: other, sends: 'topup', perSecond: BYSTANDER_PER_SECOND, seconds },
    { name: 'bystander reads', token: other, sends: 'balance', perSecond: BYSTANDER_PER_SECOND, seconds },
    {
      name: 'flood again',
      token,
      sends: 'topup',
      atOnce: peak.atOnce,
      seconds: RECOVERY_SECONDS,
      from: seconds,
    },
  ]);
  const of = (name: string): Sample[] => samples.filter(({ sender }) => sender === name);
  return {
    factor,
    flood: figuresOf(of('flood'), seconds),
    bystander: figuresOf(of('bystander'), seconds),
    reads: figuresOf(of('bystander reads'), seconds),
    backAfterMs: timeUntilRate(of('flood again'), 0.9 * peak.perSecond),
    cpu: await cpu,
  };
}

const faultsOf = ({ faults }: Figures): string =>
  faults.length === 0 ? '' : `; ${faults.length} faults, such as: ${faults[0]}`;

/** What is held: see the reach in README.md. */
function checksOf({ factor, flood, bystander, reads, backAfterMs }: Step, peak: number): Check[] {
  const at = `at ${factor} ×:`;
  const faults = [flood, bystander, reads].flatMap((one) => one.faults).length;
  return [
    [flood.goodput >= 0.9 * peak, `${at} goodput ${(flood.goodput / peak).toFixed(2)} of the peak (≥ 0.90)`],
    [flood.p99 <= 2_000, `${at} p99 of accepted orders ${Math.round(flood.p99)} ms (≤ 2,000)`],
    [flood.refusalP99 <= 500, `${at} p99 of refusals ${Math.round(flood.refusalP99)} ms (≤ 500)`],
    [faults === 0, `${at} every response is a success, or a refusal with Retry-After${faultsOf(flood)}`],
    [
      reads.done >= 0.99 * reads.offered && reads.p99 <= 2_000,
      `${at} another partner's reads: ${reads.done} of ${reads.offered}, p99 ${Math.round(reads.p99)} ms (≥ 99 %, ≤ 2,000)`,
    ],
    [
      bystander.done >= 0.9 * bystander.offered,
      `${at} another partner's orders: ${bystander.done} of ${bystander.offered} (≥ 90 %)`,
    ],
    [
      backAfterMs !== undefined && backAfterMs <= 2_000,
      `${at} the peak is back after ${backAfterMs === undefined ? 'never' : `${backAfterMs} ms`} (≤ 2,000)`,
    ],
  ];
}
