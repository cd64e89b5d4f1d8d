import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { COST_OPERATIONS, type RunOperation } from '../bench/cost/cost-operations';
import { CostSubject, newCost, WARM_UP_MOST_S } from '../bench/cost/cost-subject';
import { doNothing } from '../bench/cost/idle';
import { say } from '../bench/measure';
import { makePartners } from '../bench/partners';
import { describeMachine } from '../bench/report';
import { placeTopups } from '../bench/topup-load';
import { startReceiver } from '../bench/webhook-processes';
import { renderCosts, renderNeeds, type NamedCost } from './capacity-tables';
import { cpuOfAll, mostOn, without, type UnitCost } from './needs';

/** How long each load lasts. */
interface CapacityOptions {
  readonly seconds: number;
}

/** Reads the command line. */
export function parseCapacityOptions(args: string[]): CapacityOptions {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '10' } } });
  const seconds = Number(values.seconds);
  if (!Number.isInteger(seconds) || seconds < 1)
    throw new Error(`--seconds must be a whole number from 1, not ${values.seconds}`);
  return { seconds };
}

const WALLETS = 100;
/** So few that nothing is gathered, as many as an instance that is busy has at once, and more than the machine can serve. */
const [FEW, USUAL, MANY] = [4, 16, 64];
/** The peak is so much of what the model says, or the model is wrong: each order costs less there, so it may be more. */
const [LEAST, MOST] = [0.9, 2.5];
/** Not of the platform, but of this machine's run of it. */
const NOT_COUNTED = ['local-platform', 'vendor-simulator'];

interface Measured extends UnitCost {
  readonly perSecond: number;
  /** CPU that the load's sender used for each. */
  readonly callerMs: number;
}

/**
 * `npm run capacity`: measures what an order, its webhook, a cart and a checkout cost, says what so many a second take, and holds
 * what the usual callers cost against the rate that many reach. Returns whether the two agree.
 */
export async function runCapacity({ seconds }: CapacityOptions): Promise<boolean> {
  const { cores, memoryGiB, cpu, node } = describeMachine();
  say(`${cores} cores (${cpu}), ${memoryGiB} GiB, Node ${node}`);
  const subject = await CostSubject.start();
  const receiver = await startReceiver();
  try {
    const { platform } = subject;
    const partners = await makePartners(platform, WALLETS);
    const orders =
      (connections: number): RunOperation =>
      (length) =>
        placeTopups({
          gatewayUrl: platform.description.gatewayUrl,
          partners: partners.map(({ sandbox }) => sandbox),
          connections,
          seconds: length,
        });
    const others = await Promise.all(
      COST_OPERATIONS.filter(({ group }) => ['cart-cost', 'checkout-cost'].includes(group)).map(
        async ({ name, prepare }) => ({ name, run: await prepare(platform, WARM_UP_MOST_S + seconds) }),
      ),
    );
    const idle = await measure(subject, doNothing, 5, NOTHING);
    const of = (run: RunOperation): Promise<Measured> => measure(subject, run, seconds, idle);
    say('measuring orders …');
    await subject.warmUp(orders(USUAL), newCost());
    const order = await of(orders(USUAL));
    const few = await of(orders(FEW));
    const peak = await of(orders(MANY));
    const { connections } = await subject.footprint();
    say('measuring orders with a webhook each …');
    for (const { sandbox } of partners)
      await sandbox.call('/webhooks', {
        body: { url: `${receiver.origin}/hook`, eventTypes: ['order.completed'] },
      });
    await subject.warmUp(orders(USUAL), newCost());
    const delivered = await of(orders(USUAL));
    const costs: NamedCost[] = [
      { name: `top-up, ${FEW} callers`, cost: few },
      { name: `top-up, ${USUAL} callers`, cost: order },
      { name: `top-up, ${MANY} callers`, cost: peak },
      { name: 'its webhook', cost: without(delivered, order) },
    ];
    for (const { name, run } of others) {
      say(`measuring ${name} …`);
      await subject.warmUp(run, newCost());
      costs.push({ name: name.replace(/, .*/, ''), cost: await of(run) });
    }
    say(`\n${renderCosts(costs)}\n\n${renderNeeds(delivered)}\n`);
    say(`connections to PostgreSQL, one instance of each service, busy: ${connections}`);
    return judge(order, peak, cpuOfAll(idle));
  } finally {
    receiver.stop();
    await subject.stop();
  }
}

/** What the usual callers cost says how many orders the machine holds; many callers show how many it does. */
function judge(order: Measured, peak: Measured, idleMs: number): boolean {
  const expected = mostOn(cpus().length, idleMs, order, order.callerMs);
  const ratio = peak.perSecond / expected;
  const holds = ratio >= LEAST && ratio <= MOST;
  say(
    `${USUAL} callers at ${order.perSecond.toFixed(0)}/s say that ${cpus().length} cores hold ${expected.toFixed(0)} top-ups/s; ` +
      `${MANY} callers reach ${peak.perSecond.toFixed(0)}/s: ${ratio.toFixed(2)} (${LEAST} to ${MOST})`,
  );
  say(`\n${holds ? '1 passed, 0 failed' : '0 passed, 1 failed'}`);
  return holds;
}

const NOTHING: UnitCost = { cpuMs: new Map(), walBytes: 0, diskBytes: 0, networkBytes: 0 };

/** One load, each figure for one operation, without what the idle platform uses in that time; of doing nothing for one second. */
async function measure(
  subject: CostSubject,
  run: RunOperation,
  seconds: number,
  idlePerSecond: UnitCost,
): Promise<Measured> {
  const cost = newCost();
  const before = { ...(await subject.footprint()), network: loopbackBytes(), caller: process.cpuUsage() };
  await subject.measure(run, seconds, cost);
  const caller = process.cpuUsage(before.caller);
  const network = loopbackBytes() - before.network;
  const { diskBytes } = await subject.footprint();
  if (cost.failures > 0) throw new Error(`${cost.failures} operations failed`);
  const took = cost.measuredMs / 1_000;
  const count = run === doNothing ? took : cost.count;
  const counted = [...cost.cpuMs].filter(([name]) => !NOT_COUNTED.includes(name));
  return {
    cpuMs: new Map(
      counted.map(([name, ms]) => [
        name,
        Math.max(0, ms - (idlePerSecond.cpuMs.get(name) ?? 0) * took) / count,
      ]),
    ),
    walBytes: cost.walBytes / count,
    diskBytes: (diskBytes - before.diskBytes) / count,
    networkBytes: (network - idlePerSecond.networkBytes * took) / count,
    perSecond: cost.count / cost.seconds,
    callerMs: (caller.user + caller.system) / 1_000 / count,
  };
}

/** All traffic stays on loopback, so that what it has carried is what the network would have. */
function loopbackBytes(): number {
  const line = /^\s*lo:\s*(\d+)/m.exec(readFileSync('/proc/net/dev', 'utf8'));
  return Number(line?.[1]);
}
