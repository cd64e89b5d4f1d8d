import { archivedUpTo, archiveSettings, restoreCluster, takeBaseBackup } from '@reseller/local-postgres';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { say } from '../bench/measure';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { Shelf } from '../clients/scents';
import { startReceiver } from '../clients/webhook-receiver';
import { until } from '../until';
import type { KafkaCluster } from '../kafka/kafka-cluster';
import { startPlatform, type StartedPlatform } from '../platform/start-platform';
import { reconcile } from '../reconcile';
import {
  checkAnnounced,
  checkBooks,
  checkSpending,
  compareWithVendor,
  quietOrders,
  sendAllAgain,
} from './compare';
import { replay, strike, type VendorRow } from './disaster';
import { publishAgain } from './publish-again';
import { Load, stockUp, type Placed } from './load';
import { Positions } from './positions';

/** Up to where is restored: what was archived, a moment in the past, or everything, where pg_wal outlived the data. */
export type DrillMode = 'archive' | 'time' | 'log';

/** How much load there is, and how often the log is archived at least. */
export interface DrillOptions {
  readonly seconds: number;
  readonly clients: number;
  readonly archiveSeconds: number;
}

const DEPOSIT = 1_000_000;
const EVENTS = ['order.completed', 'order.failed'];

interface Drill {
  readonly mode: DrillMode;
  readonly options: DrillOptions;
  readonly root: string;
  readonly data: string;
  readonly archive: string;
  readonly env: Record<string, string>;
  /** The event bus that the disaster does not touch; undefined where events are in the database that is lost. */
  readonly kafka: KafkaCluster | undefined;
}

/** What the clients and the vendor know of the time before. */
interface Before {
  readonly partners: readonly { id: string; globalId: string; credentials: TestPartner['credentials'] }[];
  readonly placed: readonly Placed[];
  readonly vendor: readonly VendorRow[];
  readonly until: Date | undefined;
  /** Acknowledged orders that must be there again, by what was archived or by the moment. */
  readonly safe: readonly Placed[];
  readonly diedAt: number;
  readonly url: string;
}

/** Runs one drill and returns what is not as it must be; prints everything on the way. */
export async function runDrill(
  mode: DrillMode,
  options: DrillOptions,
  kafka?: KafkaCluster,
): Promise<string[]> {
  const root = mkdtempSync(path.join(tmpdir(), 'reseller-restore-'));
  const archive = path.join(root, 'archive');
  const env = {
    POSTGRES_ARCHIVE_DIR: archive,
    POSTGRES_ARCHIVE_TIMEOUT_S: String(options.archiveSeconds),
    ...kafka?.environment,
  };
  const drill: Drill = { mode, options, root, data: path.join(root, 'platform'), archive, env, kafka };
  try {
    const before = await liveAndDie(drill);
    return await comeBack(drill, before);
  } finally {
    if (process.env.KEEP_PLATFORM_DATA === 'true') say(`  kept: ${root}`);
    else rmSync(root, { recursive: true, force: true });
  }
}

async function liveAndDie({ mode, options, root, data, archive, env }: Drill): Promise<Before> {
  const platform = await startPlatform(env, { kept: data });
  process.env.PLATFORM_JSON = platform.file;
  const url = platform.description.databases['finance'] ?? '';
  const operator = new OperatorClient(platform.description);
  const receiver = await startReceiver();
  const partners = [
    await operator.newPartner({ deposit: DEPOSIT }),
    await operator.newPartner({ deposit: DEPOSIT }),
  ];
  for (const { live } of partners) {
    await live.call('/webhooks', { body: { url: receiver.url, eventTypes: EVENTS } });
  }
  const load = new Load(partners, await stockUp(new Shelf(operator)), options.clients);
  const positions = new Positions(url);
  await until('orders are acknowledged', () => load.acknowledgedOrders.length >= options.clients);
  await backUp(url, data, path.join(root, 'base'));
  const half = (options.seconds * 1_000) / 2;
  await pause(half);
  const moment = new Date();
  const mark = load.acknowledgedOrders.length;
  // A moment can be restored once the log has passed it in the archive.
  const passed = await until('the log passed the moment', () => positions.after(moment.getTime()));
  await pause(half);
  if (mode === 'time') await until('the moment is archived', () => archivedUpTo(archive) > passed, 120_000);
  const vendor = await strike(platform);
  const diedAt = Date.now();
  await Promise.all([load.stop(), positions.stop()]);
  await receiver.stop();
  if (mode === 'log') cpSync(path.join(data, 'postgres/pg_wal'), path.join(root, 'log'), { recursive: true });
  rmSync(path.join(data, 'postgres'), { recursive: true, force: true });
  const archived = archivedUpTo(archive);
  const isSafe = ({ respondedAt = Infinity }: Placed): boolean => {
    if (mode === 'log') return true;
    if (mode === 'time') return respondedAt < moment.getTime();
    return (positions.after(respondedAt) ?? archived + 1n) <= archived;
  };
  const { acknowledgedOrders } = load;
  say(
    `  load: ${load.placed.length} orders sent, ${acknowledgedOrders.length} acknowledged (${mark} before the moment), ` +
      `${receiver.received.length} webhooks received`,
  );
  for (const fault of load.faults.slice(0, 3)) say(`  load met: ${fault}`);
  say('  disaster: every process killed, the data directory deleted');
  return {
    partners,
    placed: load.placed,
    vendor,
    until: mode === 'time' ? moment : undefined,
    safe: acknowledgedOrders.filter(isSafe),
    diedAt,
    url,
  };
}

async function backUp(url: string, data: string, into: string): Promise<void> {
  const startedAt = performance.now();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const backup = await takeBaseBackup(client, path.join(data, 'postgres'), into);
  await client.end();
  const mib = (backup.bytes / 2 ** 20).toFixed(0);
  say(`  base backup under load: ${mib} MiB, ${backup.files} files, ${seconds(startedAt)}`);
}

const seconds = (startedAt: number): string => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;

async function comeBack(drill: Drill, before: Before): Promise<string[]> {
  const { mode, root, data, archive, env, options, kafka } = drill;
  const startedAt = performance.now();
  restoreCluster({
    backup: path.join(root, 'base'),
    archive,
    into: path.join(data, 'postgres'),
    ...(before.until && { until: before.until }),
    ...(mode === 'log' && { survivingLog: path.join(root, 'log') }),
  });
  const settings = archiveSettings(archive, options.archiveSeconds);
  await replay(path.join(data, 'postgres'), { url: before.url, settings }, before.vendor, (url) =>
    kafka ? publishAgain(kafka, url, before.until?.getTime() ?? before.diedAt) : Promise.resolve(),
  );
  const replayed = seconds(startedAt);
  const platform = await startPlatform(env, { kept: data });
  process.env.PLATFORM_JSON = platform.file;
  const ready = seconds(startedAt);
  try {
    return await examine(platform, before, { startedAt, replayed, ready, kafka });
  } finally {
    await platform.stop();
  }
}

async function examine(
  platform: StartedPlatform,
  before: Before,
  {
    kafka,
    ...times
  }: { startedAt: number; replayed: string; ready: string; kafka: KafkaCluster | undefined },
): Promise<string[]> {
  const operator = new OperatorClient(platform.description);
  const partners = before.partners.map((partner) => operator.existingPartner(partner));
  const faults: string[] = [];
  const found = await Promise.all(partners.map(quietOrders));
  const first = await reconcile(operator);
  say(
    `  time: copied and replayed ${times.replayed}, ready ${times.ready}, quiet and reconciled ${seconds(times.startedAt)}`,
  );
  say(
    `  reconciler on the restored data: ${first.compared} compared, ${first.faults.length === 0 ? 'clean' : first.faults.join()}`,
  );
  faults.push(...first.faults);

  const present = new Set(found.flatMap((orders) => [...orders.keys()]));
  const acknowledgedOrders = before.placed.filter(({ response }) => response !== undefined);
  const lost = acknowledgedOrders.filter(({ response }) => !present.has(response?.orderId ?? ''));
  const broken = before.safe.filter((placed) => lost.includes(placed));
  faults.push(...broken.map(({ reference }) => `${reference} was in the backup's reach and is gone`));
  const lostNet = lost.reduce((sum, { response }) => sum + (response?.net ?? 0), 0);
  const oldest = Math.min(...lost.map(({ respondedAt = Infinity }) => respondedAt));
  say(`  must be there: ${before.safe.length}, are there: ${before.safe.length - broken.length}`);
  say(
    `  lost: ${lost.length} acknowledged orders, ${(lostNet / 100).toFixed(2)} SAR of charges` +
      (lost.length > 0
        ? `; the oldest was returned ${((before.diedAt - oldest) / 1000).toFixed(1)} s before the end`
        : ''),
  );
  const orders = found.flatMap((each) => [...each.values()]);
  const vendor = await compareWithVendor(orders);
  faults.push(...vendor.faults);
  const expectedOrphans = new Set(lost.map(({ response }) => response?.orderGlobalId));
  const unacknowledged = before.placed.length - acknowledgedOrders.length;
  const strange = vendor.orphans.filter((key) => !expectedOrphans.has(key));
  say(
    `  delivered by the vendor without an order here: ${vendor.orphans.length}, of which ${strange.length} were never acknowledged`,
  );
  if (strange.length > unacknowledged) faults.push(`${strange.length} deliveries that nobody ordered`);
  for (const [at, partner] of partners.entries()) {
    faults.push(
      ...(await checkBooks(partner, found[at] ?? new Map())).map((fault) => `partner ${at}: ${fault}`),
    );
  }
  await kafka?.untilHandled();
  for (const [at, partner] of partners.entries())
    faults.push(...(await checkAnnounced(partner, found[at] ?? new Map())));
  faults.push(...(await repeatAll(operator, partners, before, present, vendor.orphans)));
  return faults;
}

/** Sends every reference again, and compares the books with what the responses say. */
async function repeatAll(
  operator: OperatorClient,
  partners: readonly TestPartner[],
  before: Before,
  present: ReadonlySet<string>,
  orphans: readonly string[],
): Promise<string[]> {
  const faults: string[] = [];
  const { again, refused } = await sendAllAgain(partners, before.placed);
  let same = 0;
  for (const { reference, response } of before.placed) {
    const now = again.get(reference);
    if (!now || !response || !present.has(response.orderId)) continue;
    same += 1;
    if (now.orderId !== response.orderId || now.net !== response.net)
      faults.push(`${reference} gets another response`);
  }
  for (const [reference, state] of refused) faults.push(`${reference} is refused: ${state}`);
  const found = await Promise.all(partners.map(quietOrders));
  for (const [at, partner] of partners.entries()) {
    faults.push(
      ...(await checkBooks(partner, found[at] ?? new Map())).map(
        (fault) => `partner ${at}, repeated: ${fault}`,
      ),
    );
    const spending = {
      ...{ deposit: DEPOSIT, orders: found[at]?.size ?? 0, again },
      sent: before.placed.filter(({ partner: owner }) => owner === at),
    };
    faults.push(...(await checkSpending(partner, spending)).map((fault) => `partner ${at}: ${fault}`));
  }
  const last = await reconcile(operator);
  faults.push(...last.faults);
  const vendor = await compareWithVendor(found.flatMap((each) => [...each.values()]));
  faults.push(...vendor.faults);
  if (vendor.orphans.length !== orphans.length) faults.push('sending again made deliveries without an order');
  say(
    `  sent again: ${same} with the same response as before, ${again.size - same} made anew, one order and one charge for each reference`,
  );
  say(
    `  reconciler after that: ${last.compared} compared, ${last.faults.length === 0 ? 'clean' : last.faults.join()}`,
  );
  if (orphans.length > 0) {
    say(
      `  to settle with the vendor: ${orphans.length} deliveries whose orders are lost (${orphans.slice(0, 3).join(', ')} …);`,
    );
    say(
      '  those sent again were delivered once more, under a new order: the vendor bills both, the partner was charged once',
    );
  }
  return faults;
}
