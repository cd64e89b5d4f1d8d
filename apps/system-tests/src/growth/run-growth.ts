import path from 'node:path';
import { parseArgs } from 'node:util';
import type { RunOperation } from '../bench/cost/cost-operations';
import { CostSubject, newCost, type Cost } from '../bench/cost/cost-subject';
import { say } from '../bench/measure';
import { makePartners } from '../bench/partners';
import { placeTopups } from '../bench/topup-load';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { until } from '../crash/until';
import { rowsOf } from '../platform/rows-of';
import { reconcile } from '../reconcile';
import { seedHistory } from '../seed/seed-history';
import { withSuperuser } from '../seed/with-superuser';
import { readsOf, timeReads, type Read, type Seller, type Took } from './reads';
import { migrateUnderLoad } from './rolling-migration';
import { sayFaults } from '../drill/say-faults';
import { numberOption, wholeNumber } from './whole-numbers';

/** How large the platform becomes, and how it is measured. */
export interface GrowthOptions {
  readonly orders: number;
  readonly partners: number;
  readonly days: number;
  /** How often each read is timed. */
  readonly times: number;
  /** How long creates are measured on each platform. */
  readonly seconds: number;
  /** Where the large platform keeps its data from run to run; it is removed at the end when absent. */
  readonly kept?: string | undefined;
}

/** Reads the command line: --orders=10000000 --partners=20 --days=1095 --times=60 --seconds=20 --kept=.local/growth. */
export function parseGrowthOptions(args: string[]): GrowthOptions {
  const { values } = parseArgs({
    args,
    options: {
      orders: numberOption(1_000_000),
      partners: numberOption(20),
      days: numberOption(1_095),
      times: numberOption(60),
      seconds: numberOption(20),
      kept: { type: 'string' },
    },
  });
  return {
    orders: wholeNumber(values, 'orders'),
    partners: wholeNumber(values, 'partners'),
    days: wholeNumber(values, 'days'),
    times: wholeNumber(values, 'times'),
    seconds: wholeNumber(values, 'seconds'),
    kept: values.kept === undefined ? undefined : path.resolve(values.kept),
  };
}

/** Reads are compared with those of a platform of a tenth of the size. */
const SHARE = 10;
const READ_LIMIT = 1.5;
const CREATE_LIMIT = 1.1;
const CREATE_ROUNDS = 4;
const CLIENTS = 16;
const WALLETS = 16;
/** A pass over everything there is. */
const RECONCILE_LIMIT_MS = 4 * 3_600_000;
/** Of a page's time, what no table is the cause of. */
const NOISE_MS = 5;

/**
 * `npm run growth-drill`: a platform with a history of years beside one with a tenth of it: whether the reconciler agrees, how long reads
 * take, what creates cost, and whether the largest table can be changed under load. What is compared is measured in turn, for a machine's
 * speed changes in the hour that a history takes, and once the reconciler is through, which else would follow all the new orders meanwhile;
 * through a kept history it was in the run that made it.
 * Returns whether all of it held.
 */
export function runGrowth(options: GrowthOptions): Promise<boolean> {
  const faults: Record<string, readonly string[]> = {};
  return withPlatform({ kept: options.kept }, async (large) => {
    const { isNew, ...many } = await grow(large, options.orders, options);
    const reconciled = async (): Promise<void> => {
      faults['reconciliation'] = await compareRecords(large);
    };
    if (isNew) await reconciled();
    faults['reads'] = await withPlatform({}, async (small) => {
      const few = await grow(small, Math.ceil(options.orders / SHARE), options);
      const differences = await compareRecords(small);
      const sides = [
        await readsOf(small.platform.description, few),
        await readsOf(large.platform.description, many),
      ];
      return [...differences, ...(await compareReads(sides, options.times))];
    });
    const buyers = await makePartners(large.platform, WALLETS);
    faults['creates'] = await withPlatform({}, (empty) =>
      compareCreates(empty, large, buyers, options.seconds),
    );
    say('the orders table is changed under load …');
    faults['migration'] = await changeUnderLoad(large, buyers);
    if (!isNew) await reconciled();
    return sayFaults(faults);
  });
}

/** Works with a platform, which is stopped at the end and, where its data is not kept, removed. */
async function withPlatform<T>(
  { kept }: { kept?: string | undefined },
  work: (subject: CostSubject) => Promise<T>,
): Promise<T> {
  const subject = await CostSubject.start({}, kept === undefined ? {} : { kept });
  try {
    return await work(subject);
  } finally {
    await subject.stop();
  }
}

/** Goes through all records by the platform's own reconciler; returns what does not agree. */
async function compareRecords({ platform }: CostSubject): Promise<string[]> {
  say('reconciling …');
  const startedAt = performance.now();
  const { compared, faults } = await reconcile(new OperatorClient(platform.description), RECONCILE_LIMIT_MS);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  say(`  ${compared} compared in ${seconds} s, ${faults.length} differences`);
  return faults;
}

/** Partners with an empty live wallet, and two webhooks each. */
async function makeSellers(operator: OperatorClient, count: number): Promise<TestPartner[]> {
  const sellers: TestPartner[] = [];
  while (sellers.length < count) {
    const partner = await operator.newPartner({ deposit: 0 });
    for (const place of [1, 2])
      await partner.live.call('/webhooks', {
        body: { url: `https://receiver.example/${place}`, eventTypes: ['order.completed', 'order.failed'] },
      });
    sellers.push(partner);
  }
  return sellers;
}

/**
 * Gives a platform partners with so many orders, unless it has them from a run before; returns the one that has half of them, the others
 * share the rest alike.
 */
async function grow(
  subject: CostSubject,
  orders: number,
  { partners: count, days }: GrowthOptions,
): Promise<Seller & { readonly isNew: boolean }> {
  process.env.PLATFORM_JSON = subject.platform.file;
  const operator = new OperatorClient(subject.platform.description);
  const half = count === 1 ? orders : Math.ceil(orders / 2);
  const gapMs = Math.ceil((days * 86_400_000) / half);
  const found = await sellerOf(operator, half);
  if (found) return { partner: found, gapMs, isNew: false };
  const [largest, ...others] = await makeSellers(operator, count);
  if (!largest) throw new Error('there is no partner');
  const each = Math.floor((orders - half) / Math.max(1, others.length));
  let said = 0;
  say(`making ${orders} orders with their money and deliveries …`);
  const seconds = await seedHistory({
    databases: subject.platform.description.databases,
    environment: 'live',
    partners: [[largest, half], ...others.map((one) => [one, each] as const)],
    days,
    isWhole: true,
    onProgress: (made) => {
      if (made - said < orders / 10) return;
      said = made;
      say(`  ${made}`);
    },
  });
  await untilAddedUp();
  // As autovacuum does in its own time where orders come one by one.
  for (const database of Object.values(subject.platform.description.databases))
    await withSuperuser(database, (client) => client.query('VACUUM (ANALYZE)'));
  const { diskBytes } = await subject.footprint();
  say(
    `  in ${seconds.toFixed(0)} s, ${(orders / seconds).toFixed(0)} a second; tables and indexes hold ${(diskBytes / 1e9).toFixed(1)} GB`,
  );
  return { partner: largest, gapMs, isNew: true };
}

/** The partner of a kept platform with at least so many live orders of the past. */
async function sellerOf(operator: OperatorClient, orders: number): Promise<TestPartner | undefined> {
  const [known] = await rowsOf<{ id: string; globalId: string }>(
    'orders-saga',
    `SELECT partner_id AS id, partner_global_id AS "globalId" FROM orders
     WHERE environment = 'live' GROUP BY 1, 2 HAVING count(*) >= $1 ORDER BY count(*) DESC LIMIT 1`,
    [orders],
  );
  if (!known) return undefined;
  say(`on the history of a run before, of ${known.globalId} among others`);
  const credentials = {
    sandbox: await operator.createCredential(known.id, 'sandbox'),
    live: await operator.createCredential(known.id, 'live'),
  };
  return operator.existingPartner({ ...known, credentials });
}

/** What jobs add up some seconds after orders have come: totals of lists, and the amounts of the hours that the overviews read. */
const untilAddedUp = (): Promise<unknown> =>
  until(
    'orders are in the totals, and the hours of the last days are added up',
    async () => {
      const [row] = await rowsOf<{ n: number }>('orders-saga', NOT_ADDED_UP);
      return row?.n === 0;
    },
    600_000,
  );

const NOT_ADDED_UP = `
  SELECT (SELECT count(*) FROM order_total_changes)::int + (
    SELECT count(*) FROM order_totals AS t
    WHERE partner_id = '00000000-0000-0000-0000-000000000000' AND level = 0 AND starts_at BETWEEN now() - interval '31 days' AND now() - interval '3 hours'
      AND NOT EXISTS (SELECT FROM hour_amounts WHERE environment = t.environment AND hour = t.starts_at))::int AS n`;

/** CPU of all processes for one top-up, PostgreSQL included, on empty and on full tables in turn; returns what is too dear. */
async function compareCreates(
  empty: CostSubject,
  full: CostSubject,
  buyers: readonly TestPartner[],
  seconds: number,
): Promise<string[]> {
  say('creates on empty and on full tables …');
  const sides = [
    { subject: empty, partners: await makePartners(empty.platform, WALLETS), cost: newCost() },
    { subject: full, partners: buyers, cost: newCost() },
  ];
  const runOf =
    ({ subject, partners }: (typeof sides)[number]): RunOperation =>
    (length) =>
      placeTopups({
        gatewayUrl: subject.platform.description.gatewayUrl,
        partners: partners.map(({ sandbox }) => sandbox),
        connections: CLIENTS,
        seconds: length,
      });
  for (const side of sides) await side.subject.warmUp(runOf(side), newCost());
  for (let round = 0; round < CREATE_ROUNDS; round += 1)
    for (const side of sides)
      await side.subject.measure(runOf(side), Math.ceil(seconds / CREATE_ROUNDS), side.cost);
  const [emptyMs = Number.NaN, fullMs = Number.NaN] = sides.map(({ cost }) => cpuMsEach(cost));
  const ratio = fullMs / emptyMs;
  say(
    `  ${emptyMs.toFixed(2)} and ${fullMs.toFixed(2)} ms of CPU each, ${ratio.toFixed(2)} times (at most ${CREATE_LIMIT})`,
  );
  return ratio <= CREATE_LIMIT ? [] : [`a create costs ${ratio.toFixed(2)} of what it does on empty tables`];
}

function cpuMsEach({ cpuMs, count, failures }: Cost): number {
  if (failures > 0) throw new Error(`${failures} orders failed`);
  return [...cpuMs.values()].reduce((sum, ms) => sum + ms, 0) / count;
}

/** Times each read on both in turn, and returns what takes too long on the larger. */
async function compareReads(sides: readonly (readonly Read[])[], times: number): Promise<string[]> {
  say('p95 in milliseconds, with a tenth of the orders and with all (p50; bytes of the response):');
  const slow = slowerOnes(await timeReads(sides, times));
  if (slow.size === 0) return [];
  say('what took too long, once more, for a p95 of one pass is as much the machine’s as the read’s:');
  const again = sides.map((reads) => reads.filter(({ name }) => slow.has(name)));
  return [...slowerOnes(await timeReads(again, times)).values()];
}

/** What takes too long on the second platform for what it takes on the first, by its name. */
function slowerOnes([before, after]: readonly ReadonlyMap<string, Took>[]): ReadonlyMap<string, string> {
  const slower = new Map<string, string>();
  for (const [name, less] of before ?? []) {
    const more = after?.get(name);
    if (!more) throw new Error(`${name} was read on one platform only`);
    const ratio = more.p95 / less.p95;
    // With ten times the orders in a month, more of its hours have some of each status.
    const limit = READ_LIMIT * Math.max(1, more.bytes / less.bytes);
    say(
      `  ${name.padEnd(44)} ${less.p95.toFixed(1).padStart(7)} ${more.p95.toFixed(1).padStart(7)}  ${ratio.toFixed(2)}` +
        `  (${less.p50.toFixed(1)}, ${more.p50.toFixed(1)}; ${less.bytes}, ${more.bytes})`,
    );
    if (ratio > limit && more.p95 - less.p95 > NOISE_MS)
      slower.set(name, `${name} takes ${ratio.toFixed(2)} of what it did (at most ${limit.toFixed(2)})`);
  }
  return slower;
}

/** Partners order while the table is changed; each order is made or was never refused by a fault of ours. */
async function changeUnderLoad(subject: CostSubject, buyers: readonly TestPartner[]): Promise<string[]> {
  let isOver = false;
  let placed = 0;
  const faults: string[] = [];
  let slowestMs = 0;
  const load = (async () => {
    while (!isOver) {
      const result = await placeTopups({
        gatewayUrl: subject.platform.description.gatewayUrl,
        partners: buyers.map(({ sandbox }) => sandbox),
        connections: 4,
        seconds: 1,
      });
      placed += result.count;
      slowestMs = Math.max(slowestMs, result.p99);
      if (result.failures > 0) faults.push(`${result.failures} orders failed`);
    }
  })();
  try {
    faults.push(...(await migrateUnderLoad(subject.platform.description.databases['orders-saga'] ?? '')));
  } finally {
    isOver = true;
    await load;
  }
  say(`  ${placed} orders meanwhile, the slowest in ${slowestMs.toFixed(0)} ms`);
  return faults;
}
