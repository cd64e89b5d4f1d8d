import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { OperatorClient } from '../clients/operator-client';
import { after, orderThrough } from '../drill/order-through';
import { sayFaults } from '../drill/say-faults';
import { countDeadLetters } from '../platform/dead-letters';
import { startPlatform, type StartedPlatform } from '../platform/start-platform';
import type { Load } from '../restore/load';
import { untilQuiet } from '../scale/quiet';
import { EVENT_TYPES, SteadyLoad } from '../scale/steady-load';
import { checkSteadyLoad, eventsOf } from '../scale/verdict';
import { Random } from '../storm/random';
import { until } from '../until';
import { CodeShoppers } from './code-shoppers';
import { planStandstills, type Standstill } from './plan';
import { ShutOut } from './shut-out';
import { stopTarget } from './stop-target';

/** For so many minutes, what the seed draws, of these targets alone if any are named, by so many clients in each environment. */
interface StandstillOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly only?: string | undefined;
  readonly clients: number;
}

/** Polls of pending orders come soon; leases and deadlines are those of production. */
const SOON = {
  VENDOR_POLL_BASE_MS: '500',
  VENDOR_POLL_CAP_MS: '2000',
  WEBHOOK_RETRY_BASE_MS: '500',
  WEBHOOK_RETRY_CAP_MS: '2000',
};
/** After a standstill an order is acknowledged again so soon. */
const SERVES_AGAIN_MS = 15_000;
/** After the last one nothing is under way any more so soon. */
const QUIET_MS = 60_000;
/** Long enough for a freeze to hold, and to be called meanwhile. */
const FREEZES_FROM_MS = 8_000;

/** Reads the command line: --minutes=5 --seed=N --only=gateway,database:finance --clients=3. */
export function parseStandstillOptions(args: string[]): StandstillOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args, options: { minutes: text, seed: text, only: text, clients: text } });
  const number = (name: 'minutes' | 'seed' | 'clients', otherwise: number): number => {
    const value = Number(values[name] ?? otherwise);
    if (!(value > 0)) throw new Error(`--${name}=${values[name]}: expected a number above 0`);
    return value;
  };
  const options = {
    minutes: number('minutes', 5),
    seed: number('seed', Date.now() % 1_000_000_000),
    clients: number('clients', 2),
    only: values.only,
  };
  planStandstills(new Random(1), 0, values.only);
  return options;
}

/** Runs the drill on a platform of its own; returns whether all of it held. */
export async function runStandstillDrill(options: StandstillOptions): Promise<boolean> {
  say(`seed ${options.seed}`);
  const platform = await startPlatform(SOON);
  process.env.PLATFORM_JSON = platform.file;
  try {
    const plan = planStandstills(new Random(options.seed), options.minutes, options.only);
    return sayFaults(await runStandstills(platform, plan, options));
  } finally {
    await platform.stop();
  }
}

/** Has a platform stand still by a plan, with load in both environments; returns what did not hold, by part. */
export async function runStandstills(
  platform: StartedPlatform,
  plan: readonly Standstill[],
  { seed, clients }: Pick<StandstillOptions, 'seed' | 'clients'>,
): Promise<Record<string, readonly string[]>> {
  const operator = new OperatorClient(platform.description);
  const shoppers = [await CodeShoppers.open(operator, 'sandbox'), await CodeShoppers.open(operator, 'live')];
  const sandbox = new SteadyLoad(platform.description, seed, clients);
  const shutOut: string[] = [];
  const unforeseen: string[] = [];
  try {
    await sandbox.prepare();
    sandbox.start();
    for (const shop of shoppers) shop.start();
    const { faults, late } = await orderThrough({ platform, clients, restMs: 200 }, async (load) => {
      const found: string[] = [];
      for (const one of plan) found.push(...(await standStill(one, { platform, operator, load, shutOut })));
      const endedAt = Date.now();
      await Promise.all([load.stop(), sandbox.stop(), ...shoppers.map((shop) => shop.stop())]);
      await untilQuiet(QUIET_MS).catch((error: Error) => found.push(error.message));
      unforeseen.push(...load.faults, ...sandbox.gateways.failures.map((failure) => failure.what));
      say(`  nothing was under way any more ${after(endedAt, Date.now())} after the last standstill`);
      return found;
    });
    say(
      `  sandbox: ${sandbox.acknowledged.size} orders; shops: ${shoppers.map(({ orders }) => orders).join(' and ')}`,
    );
    return {
      'what goes on afterwards': late,
      'frozen partners and revoked credentials': shutOut,
      'no error that nobody foresaw, and no dead letter': [
        ...unforeseen.filter((text) => text.includes('INTERNAL_ERROR')),
        ...(await countDeadLetters())
          .filter(({ n }) => n > 0)
          .map(({ consumer, n }) => `${consumer} has ${n} dead letters`),
      ],
      'live orders, money, vendor and webhooks': faults,
      'sandbox orders, money, vendor, feed and webhooks': [
        ...sandbox.surprises,
        ...(await checkSteadyLoad(sandbox)),
        ...undelivered(sandbox),
      ],
      'stock and discount codes': (await Promise.all(shoppers.map((shop) => shop.check()))).flat(),
    };
  } finally {
    await Promise.all([sandbox.stop(), ...shoppers.map((shop) => shop.stop())]);
    await sandbox.receiver?.stop();
  }
}

/** Events of the feed that no webhook brought; what was sent and is in no feed is a fault of the steady load already. */
function undelivered(load: SteadyLoad): string[] {
  const sent = new Set(eventsOf(load).map(({ eventId }) => eventId));
  return load.feeds
    .flatMap(({ read }) => read)
    .filter(({ eventType, eventId }) => EVENT_TYPES.includes(eventType) && !sent.has(eventId))
    .map(({ eventType, eventId }) => `${eventType} ${eventId} is in the feed and no webhook brought it`);
}

interface Struck {
  readonly platform: StartedPlatform;
  readonly operator: OperatorClient;
  readonly load: Load;
  readonly shutOut: string[];
}

async function standStill(
  { targets, forMs, afterMs }: Standstill,
  { platform, operator, load, shutOut }: Struck,
): Promise<string[]> {
  await pause(afterMs);
  const mayFreeze = targets.includes('gateway') && !targets.includes('identity') && forMs >= FREEZES_FROM_MS;
  const callers =
    mayFreeze &&
    (await until('callers hold tokens', () => ShutOut.prepare(operator, platform.description.gatewayUrl)));
  const stopped: (() => void)[] = [];
  let stoppedAt = Date.now();
  let afterwards: (() => Promise<string[]>) | undefined;
  try {
    // What is harder to catch comes first, so that the other one does not stand longer than the plan says.
    for (const name of hardestFirst(targets)) {
      const goOn = await stopTarget(name);
      if (goOn) stopped.push(goOn);
      else say(`  no transaction of ${name} was caught`);
    }
    stoppedAt = Date.now();
    if (callers) ({ afterwards } = await callers.strike());
    await pause(Math.max(0, stoppedAt + forMs - Date.now()));
  } finally {
    for (const goOn of stopped) goOn();
  }
  const goesOnAt = Date.now();
  shutOut.push(...((await afterwards?.()) ?? []));
  const what = `${targets.join(' and ')} for ${after(stoppedAt, goesOnAt)}`;
  const first = await until(
    'an order is acknowledged again',
    () => load.acknowledgedOrders.find(({ respondedAt = 0 }) => respondedAt > goesOnAt),
    SERVES_AGAIN_MS,
  ).catch(() => undefined);
  say(
    `  ${what}${callers ? ', with callers shut out meanwhile' : ''}: ${first ? `an order ${after(goesOnAt, first.respondedAt ?? 0)} later` : 'no order afterwards'}`,
  );
  return first ? [] : [`${what}: no order was acknowledged within ${after(0, SERVES_AGAIN_MS)}`];
}

const hardestFirst = (targets: readonly string[]): readonly string[] =>
  [...targets].sort((a, b) => Number(b.startsWith('database:')) - Number(a.startsWith('database:')));
