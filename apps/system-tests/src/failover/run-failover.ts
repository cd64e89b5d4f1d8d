import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../bench/measure';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { Shelf } from '../clients/scents';
import { startReceiver } from '../clients/webhook-receiver';
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
/** … and an answer to each call within this, whatever the database does. */
const ANSWER_MS = 20_000;

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
  const { cluster, platform, seconds, clients } = drill;
  const operator = new OperatorClient(platform.description);
  const receiver = await startReceiver();
  const partners = [
    await operator.newPartner({ deposit: DEPOSIT }),
    await operator.newPartner({ deposit: DEPOSIT }),
  ];
  for (const { live } of partners)
    await live.call('/webhooks', { body: { url: receiver.url, eventTypes: ['order.completed'] } });
  const pids = readPlatformFile(platform.file).pids;
  const load = new Load(partners, await stockUp(new Shelf(operator)), clients);
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
  await pause(1_000);
  await load.stop();
  await receiver.stop();
  say(
    `  ${load.acknowledgedOrders.length} of ${load.placed.length} orders acknowledged, ${load.faults.length} refused meanwhile; ` +
      `a primary took writes ${after(struckAt, acceptedAt)} after the fault, the first success came ${after(0, firstMs)} later, ` +
      `the slowest answer took ${after(0, load.slowestMs)}`,
  );
  const late: string[] = [];
  if (firstMs > FIRST_SUCCESS_MS) late.push(`the first success came ${after(0, firstMs)} after the primary`);
  if (load.slowestMs > ANSWER_MS) late.push(`a call was answered only after ${after(0, load.slowestMs)}`);
  const faults: string[] = [];
  const now = readPlatformFile(platform.file).pids;
  for (const [process, pid] of Object.entries(pids))
    if (now[process] !== pid) faults.push(`${process} did not live through it`);
  faults.push(...(await examine(operator, partners, load.placed, FAULTS[name].mayLose)));
  return { faults, late };
}

/** Compares every answer, the books and the vendor's journal with what the clients know. */
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
      faults.push(`${reference} is answered differently`);
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

const after = (from: number, to: number): string => `${((to - from) / 1_000).toFixed(1)} s`;
