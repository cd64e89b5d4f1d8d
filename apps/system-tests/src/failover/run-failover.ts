import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { Shelf } from '../clients/scents';
import { startReceiver, type WebhookReceiver } from '../clients/webhook-receiver';
import { until } from '../crash/until';
import { readPlatformFile } from '../platform/platform-file';
import { rowsOf } from '../platform/rows-of';
import { startPlatform, type StartedPlatform } from '../platform/start-platform';
import {
  checkBooks,
  checkSpending,
  compareWithVendor,
  quietOrders,
  reconcile,
  sendAllAgain,
} from '../restore/compare';
import { Load, stockUp, type Placed } from '../restore/load';
import { untilQuiet } from '../scale/quiet';
import { Cluster } from './cluster';
import { FAULTS, type FaultName } from './faults';

/** How much load there is: for so many seconds before the fault, and after it. */
export interface FailoverOptions {
  readonly seconds: number;
  readonly clients: number;
}

const DEPOSIT = 1_000_000;
/** What the platform promises its callers: the first success so soon after a primary takes writes again … */
const FIRST_SUCCESS_MS = 5_000;
/** … and a response to each call within this, whatever the database does. */
const RESPONSE_MS = 20_000;

/** What is not as it must be after a failover, and what came later than promised. */
export interface FailoverFaults {
  readonly faults: readonly string[];
  readonly late: readonly string[];
}

/** One failover under load; prints everything on the way. */
export async function runFailover(name: FaultName, options: FailoverOptions): Promise<FailoverFaults> {
  const root = mkdtempSync(path.join(tmpdir(), 'reseller-failover-'));
  const cluster = await Cluster.start(root, name !== 'asynchronous');
  try {
    const platform = await startPlatform({ POSTGRES_ADMIN_URL: cluster.adminUrl });
    process.env.PLATFORM_JSON = platform.file;
    try {
      return await failOver(name, { cluster, platform, ...options });
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
  readonly platform: StartedPlatform;
}

async function failOver(name: FaultName, drill: Drill): Promise<FailoverFaults> {
  const { platform, clients } = drill;
  const operator = new OperatorClient(platform.description);
  const receiver = await startReceiver();
  try {
    const partners = [
      await operator.newPartner({ deposit: DEPOSIT }),
      await operator.newPartner({ deposit: DEPOSIT }),
    ];
    for (const { live } of partners)
      await live.call('/webhooks', { body: { url: receiver.url, eventTypes: ['order.completed'] } });
    const { pids } = readPlatformFile(platform.file);
    const load = new Load(partners, await stockUp(new Shelf(operator)), clients);
    const late = await strikeUnder(load, name, drill).finally(() => load.stop());
    const { pids: now } = readPlatformFile(platform.file);
    const ended = Object.keys(pids).filter((process) => now[process] !== pids[process]);
    const faults = [
      ...ended.map((process) => `${process} did not live through it`),
      ...(await examine(operator, partners, load.placed, FAULTS[name].mayLose)),
      ...(await checkWebhooks(partners, receiver)),
    ];
    return { faults, late };
  } finally {
    await receiver.stop();
  }
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

/** Compares every response, the books and the vendor's journal with what the clients know. */
async function examine(
  operator: OperatorClient,
  partners: readonly TestPartner[],
  placed: readonly Placed[],
  mayLose: boolean,
): Promise<string[]> {
  const faults: string[] = [];
  const present = new Set(
    (await Promise.all(partners.map(quietOrders))).flatMap((orders) => [...orders.keys()]),
  );
  const acknowledged = placed.filter(({ response }) => response !== undefined);
  const lost = acknowledged.filter(({ response }) => !present.has(response?.orderId ?? ''));
  const net = lost.reduce((sum, { response }) => sum + (response?.net ?? 0), 0);
  say(
    `  lost: ${lost.length} of ${acknowledged.length} acknowledged orders, ${(net / 100).toFixed(2)} SAR of charges`,
  );
  if (!mayLose) faults.push(...lost.map(({ reference }) => `${reference} was acknowledged and is lost`));

  const { again, refused } = await sendAllAgain(partners, placed);
  for (const [reference, state] of refused) faults.push(`${reference} is refused: ${state}`);
  for (const { reference, response } of acknowledged) {
    const now = again.get(reference);
    if (!now || !response || !present.has(response.orderId)) continue;
    if (now.orderId !== response.orderId || now.net !== response.net)
      faults.push(`${reference} has another response`);
  }
  const found = await Promise.all(partners.map(quietOrders));
  for (const [at, partner] of partners.entries()) {
    const orders = found[at] ?? new Map<string, never>();
    const sent = placed.filter((one) => one.partner === at);
    const spending = { deposit: DEPOSIT, orders: orders.size, sent, again };
    const books = [...(await checkBooks(partner, orders)), ...(await checkSpending(partner, spending))];
    faults.push(...books.map((fault) => `partner ${at}: ${fault}`));
  }
  const vendor = await compareWithVendor(found.flatMap((orders) => [...orders.values()]));
  faults.push(
    ...vendor.faults,
    ...vendor.orphans.map((key) => `the vendor delivered ${key}, which is no order`),
  );
  const [twice] = await rowsOf<{ n: number }>(
    'vendor-simulator',
    'SELECT count(*)::int AS n FROM vendor_journal WHERE deliveries > 1',
  );
  if (twice?.n) faults.push(`the vendor delivered ${twice.n} orders twice`);
  const { compared, faults: differences } = await reconcile(operator);
  say(`  sent again: ${again.size} answered; reconciler: ${compared} compared`);
  return [...faults, ...differences];
}

/** Completed orders that no webhook was received of, once none is due any more. */
async function checkWebhooks(
  partners: readonly TestPartner[],
  { received }: Pick<WebhookReceiver, 'received'>,
): Promise<string[]> {
  await untilQuiet();
  const announced = new Set(received.map(({ event }) => event.data['orderGlobalId']));
  const orders = (await Promise.all(partners.map(({ live }) => live.allOrders()))).flat();
  const completed = orders.filter(({ status }) => status === 'Completed');
  say(`  webhooks: ${received.length} received of ${completed.length} completed orders`);
  return completed
    .filter(({ orderGlobalId }) => !announced.has(orderGlobalId))
    .map(({ orderGlobalId }) => `${orderGlobalId} is Completed and no webhook says so`);
}

const after = (from: number, to: number): string => `${((to - from) / 1_000).toFixed(1)} s`;
