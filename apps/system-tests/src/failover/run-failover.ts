import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { until } from '../until';
import { after, orderThrough, RESPONSE_MS, type DrillFaults } from '../drill/order-through';
import { startPlatform } from '../platform/start-platform';
import type { Load } from '../restore/load';
import { Cluster } from './cluster';
import { FAULTS, type FaultName } from './faults';

/** How much load there is: for so many seconds before the fault, and after it; `restMs` lies between two orders of a client. */
export interface FailoverOptions {
  readonly seconds: number;
  readonly clients: number;
  readonly restMs?: number;
}

/** What the platform promises its callers: the first success so soon after a primary takes writes again. */
const FIRST_SUCCESS_MS = 5_000;

/** One failover under load; prints everything on the way. */
export async function runFailover(name: FaultName, options: FailoverOptions): Promise<DrillFaults> {
  const root = mkdtempSync(path.join(tmpdir(), 'reseller-failover-'));
  const cluster = await Cluster.start(root, name !== 'asynchronous');
  try {
    const platform = await startPlatform({ POSTGRES_ADMIN_URL: cluster.adminUrl });
    process.env.PLATFORM_JSON = platform.file;
    try {
      const { mayLose } = FAULTS[name];
      return await orderThrough({ platform, ...options, mayLose }, (load) =>
        strikeUnder(load, name, { cluster, ...options }),
      );
    } finally {
      await platform.stop();
    }
  } finally {
    await cluster.stop();
    if (process.env.KEEP_PLATFORM_DATA === 'true') say(`  kept: ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

interface Drill extends FailoverOptions {
  readonly cluster: Cluster;
}

/** Has the fault strike while orders are placed, until the cluster is whole again; returns what came later than promised. */
async function strikeUnder(
  load: Load,
  name: FaultName,
  { cluster, seconds, clients }: Drill,
): Promise<string[]> {
  await until('orders are acknowledged', () => load.acknowledgedOrders.length >= clients);
  await pause(seconds * 1_000);
  const struckAt = Date.now();
  const { acceptedAt, mend } = await FAULTS[name].strike(cluster);
  const first = await until('an order is acknowledged again', () =>
    load.acknowledgedOrders.find(({ respondedAt = 0 }) => respondedAt > acceptedAt),
  );
  const firstMs = (first.respondedAt ?? 0) - acceptedAt;
  await pause(seconds * 1_000);
  await mend();
  await cluster.whole();
  await load.stop();
  say(
    `  ${load.acknowledgedOrders.length} of ${load.placed.length} orders acknowledged, ${load.faults.length} refused meanwhile; ` +
      `a primary took writes ${after(struckAt, acceptedAt)} after the fault, the first success came ${after(0, firstMs)} later, ` +
      `the slowest response took ${after(0, load.slowestMs)}`,
  );
  return [
    ...(firstMs > FIRST_SUCCESS_MS ? [`the first success came ${after(0, firstMs)} after the primary`] : []),
    ...(load.slowestMs > RESPONSE_MS ? [`a response took ${after(0, load.slowestMs)}`] : []),
  ];
}
