import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { say } from '../bench/measure';
import { until } from '../until';
import { after, orderThrough, RESPONSE_MS } from '../drill/order-through';
import { chooseFrom, runEach } from '../drill/run-each';
import { startPlatform } from '../platform/start-platform';
import type { Load } from '../restore/load';
import { withBus } from './bus';
import { EventWatch } from './event-watch';
import { FAULTS, type FaultName } from './faults';
import type { KafkaCluster } from './kafka-cluster';

/** How much load there is: for so many seconds before the fault, during it, and after it; `restMs` lies between two orders of a client. */
interface KafkaDrillOptions {
  readonly seconds: number;
  readonly clients: number;
  readonly restMs?: number;
}

/** Reads the command line. */
export function parseKafkaDrillOptions(
  args: string[],
): KafkaDrillOptions & { readonly faults: readonly FaultName[] } {
  const { values } = parseArgs({
    args,
    options: {
      fault: { type: 'string' },
      seconds: { type: 'string', default: '15' },
      clients: { type: 'string', default: '4' },
    },
  });
  return {
    faults: chooseFrom(FAULTS, 'fault', values.fault),
    seconds: Number(values.seconds),
    clients: Number(values.clients),
  };
}

/** Runs one fault after the other, each on a cluster of its own; returns whether each ended with everything as it must be. */
export function runKafkaDrills({
  faults,
  ...options
}: ReturnType<typeof parseKafkaDrillOptions>): Promise<boolean> {
  return runEach(
    faults,
    (name) => FAULTS[name].what,
    (name) => runKafkaDrill(name, options),
  );
}

/** One fault of Kafka under a platform with load; prints everything on the way and returns what is not as it must be. */
export function runKafkaDrill(name: FaultName, options: KafkaDrillOptions): Promise<string[]> {
  return withBus('kafka', async (cluster) => {
    if (!cluster) throw new Error('the drill has no brokers');
    const platform = await startPlatform(cluster.environment);
    process.env.PLATFORM_JSON = platform.file;
    const watch = await EventWatch.start(cluster);
    try {
      const drill = { platform, ...options, untilHandled: () => cluster.untilHandled() };
      const { faults, late } = await orderThrough(drill, (load) =>
        strikeUnder(load, name, { ...options, cluster, watch }),
      );
      return [...faults, ...late, ...(await judgeEvents(watch))];
    } finally {
      await watch.stop();
      await platform.stop();
    }
  });
}

interface Struck extends KafkaDrillOptions {
  readonly cluster: KafkaCluster;
  readonly watch: EventWatch;
}

/** Has the fault strike while orders are placed, until the cluster is whole again; returns what callers noticed of it. */
async function strikeUnder(
  load: Load,
  name: FaultName,
  { cluster, watch, seconds, clients }: Struck,
): Promise<string[]> {
  await until('orders are acknowledged', () => load.acknowledgedOrders.length >= clients);
  await until('their events come', () => watch.count > clients);
  await pause(seconds * 1_000);
  watch.begin();
  const struckAt = Date.now();
  const mend = await FAULTS[name].strike(cluster);
  await pause(seconds * 1_000);
  await mend();
  await cluster.whole();
  const wholeAt = Date.now();
  await pause(seconds * 1_000);
  const gapMs = watch.gap();
  await load.stop();
  say(
    `  ${load.acknowledgedOrders.length} of ${load.placed.length} orders acknowledged, ${load.faults.length} refused, ` +
      `the slowest response took ${after(0, load.slowestMs)}; the cluster was whole again ${after(struckAt, wholeAt)} after the fault`,
  );
  say(`  the longest rest between two deliveries of events: ${after(0, gapMs)}`);
  return [
    ...(load.faults.length > 0
      ? [`${load.faults.length} orders were refused, first: ${load.faults[0]}`]
      : []),
    ...(load.slowestMs > RESPONSE_MS ? [`a response took ${after(0, load.slowestMs)}`] : []),
  ];
}

async function judgeEvents(watch: EventWatch): Promise<readonly string[]> {
  const { published, storedAgain, deliveredAgain, slowestMs, faults } = await watch.compare();
  say(
    `  events: ${published} published, ${storedAgain} of them stored again, ${deliveredAgain} delivered again and recognised by their id, ` +
      `the slowest came after ${after(0, slowestMs)}`,
  );
  return faults;
}
