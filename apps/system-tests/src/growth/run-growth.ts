import { parseArgs } from 'node:util';
import { CostSubject, newCost } from '../bench/cost/cost-subject';
import { say } from '../bench/measure';
import { makePartners } from '../bench/partners';
import { placeTopups } from '../bench/topup-load';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { until } from '../crash/until';
import { rowsOf } from '../platform/rows-of';
import { reconcile } from '../reconcile';
import { seedHistory } from '../seed/seed-history';
import { withSuperuser } from '../seed/with-superuser';
import { readsOf, timeReads, type Seller, type Took } from './reads';
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
  /** How long creates are measured, before and after. */
  readonly seconds: number;
}

/** Reads the command line: --orders=10000000 --partners=20 --days=1095 --times=60 --seconds=20. */
export function parseGrowthOptions(args: string[]): GrowthOptions {
  const { values } = parseArgs({
    args,
    options: {
      orders: numberOption(1_000_000),
      partners: numberOption(20),
      days: numberOption(1_095),
      times: numberOption(60),
      seconds: numberOption(20),
    },
  });
  return {
    orders: wholeNumber(values, 'orders'),
    partners: wholeNumber(values, 'partners'),
    days: wholeNumber(values, 'days'),
    times: wholeNumber(values, 'times'),
    seconds: wholeNumber(values, 'seconds'),
  };
}

/** Reads are compared with those of a platform of a tenth of the size. */
const SHARE = 10;
const READ_LIMIT = 1.5;
const CREATE_LIMIT = 1.1;
const CLIENTS = 16;
const WALLETS = 16;
/** A pass over everything there is. */
const RECONCILE_LIMIT_MS = 4 * 3_600_000;
/** Of a page's time, what no table is the cause of. */
const NOISE_MS = 5;

/**
 * `npm run growth-drill`: a platform with a history of years beside one with a tenth of it: how long reads take, what creates cost, whether
 * the reconciler agrees, and whether the largest table can be changed under load. Returns whether all of it held.
 */
export async function runGrowth(options: GrowthOptions): Promise<boolean> {
  const subject = await CostSubject.start();
  try {
    const { file, description } = subject.platform;
    process.env.PLATFORM_JSON = file;
    const operator = new OperatorClient(description);
    const buyers = await makePartners(subject.platform, WALLETS);
    const faults: Record<string, readonly string[]> = {};

    say('creates on empty tables …');
    const emptyMs = await createMs(subject, buyers, options.seconds, true);
    say(`  ${emptyMs.toFixed(2)} ms of CPU each`);

    const tenth = Math.ceil(options.orders / SHARE);
    const small = await grow(subject, operator, tenth, options);
    const before = await timeReads(await readsOf(description, small), options.times);
    const large = await grow(subject, operator, options.orders - tenth, options);
    const after = await timeReads(await readsOf(description, large), options.times);
    faults['reads'] = compareReads(before, after);

    say('creates on full tables …');
    const fullMs = await createMs(subject, buyers, options.seconds, false);
    say(
      `  ${fullMs.toFixed(2)} ms of CPU each, ${(fullMs / emptyMs).toFixed(2)} of those on empty tables (at most ${CREATE_LIMIT})`,
    );
    faults['creates'] =
      fullMs > emptyMs * CREATE_LIMIT
        ? [`a create costs ${(fullMs / emptyMs).toFixed(2)} of what it did`]
        : [];

    say('the orders table is changed under load …');
    faults['migration'] = await changeUnderLoad(subject, buyers);

    say('reconciling …');
    const startedAt = performance.now();
    const { compared, faults: differences } = await reconcile(operator, RECONCILE_LIMIT_MS);
    say(
      `  ${compared} compared in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s, ${differences.length} differences`,
    );
    faults['reconciliation'] = differences;

    return sayFaults(faults);
  } finally {
    await subject.stop();
  }
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
 * Adds partners with so many orders; returns the one that has half of them, the others share the rest alike. New ones each time: a
 * ledger is written in order of time.
 */
async function grow(
  subject: CostSubject,
  operator: OperatorClient,
  orders: number,
  { partners: count, days }: GrowthOptions,
): Promise<Seller> {
  const [largest, ...others] = await makeSellers(operator, count);
  if (!largest) throw new Error('there is no partner');
  const half = others.length === 0 ? orders : Math.ceil(orders / 2);
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
  await withSuperuser(subject.platform.description.databases['orders-saga'], (client) =>
    client.query('VACUUM (ANALYZE) order_totals, order_total_changes, hour_amounts'),
  );
  const { diskBytes } = await subject.footprint();
  say(
    `  in ${seconds.toFixed(0)} s, ${(orders / seconds).toFixed(0)} a second; tables and indexes hold ${(diskBytes / 1e9).toFixed(1)} GB`,
  );
  return { partner: largest, gapMs: Math.ceil((days * 86_400_000) / half) };
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

/** CPU of all processes for one top-up, PostgreSQL included. */
async function createMs(
  subject: CostSubject,
  buyers: readonly TestPartner[],
  seconds: number,
  isCold: boolean,
): Promise<number> {
  const run = (length: number) =>
    placeTopups({
      gatewayUrl: subject.platform.description.gatewayUrl,
      partners: buyers.map(({ sandbox }) => sandbox),
      connections: CLIENTS,
      seconds: length,
    });
  if (isCold) await subject.warmUp(run, newCost());
  await run(5);
  const cost = newCost();
  await subject.measure(run, seconds, cost);
  if (cost.failures > 0) throw new Error(`${cost.failures} orders failed`);
  return [...cost.cpuMs.values()].reduce((sum, ms) => sum + ms, 0) / cost.count;
}

function compareReads(before: ReadonlyMap<string, Took>, after: ReadonlyMap<string, Took>): string[] {
  say('p95 in milliseconds, with a tenth of the orders and with all (p50; bytes of the response):');
  return [...before].flatMap(([name, small]) => {
    const large = after.get(name);
    if (!large) throw new Error(`${name} was not read again`);
    const ratio = large.p95 / small.p95;
    // With ten times the orders in a month, more of its hours have some of each status.
    const limit = READ_LIMIT * Math.max(1, large.bytes / small.bytes);
    const isSlower = large.p95 > limit * small.p95 && large.p95 - small.p95 > NOISE_MS;
    say(
      `  ${name.padEnd(44)} ${small.p95.toFixed(1).padStart(7)} ${large.p95.toFixed(1).padStart(7)}  ${ratio.toFixed(2)}` +
        `  (${small.p50.toFixed(1)}, ${large.p50.toFixed(1)}; ${small.bytes}, ${large.bytes})`,
    );
    return isSlower ? [`${name} takes ${ratio.toFixed(2)} of what it did (at most ${limit.toFixed(2)})`] : [];
  });
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
