import type { RunOperation } from '../bench/cost/cost-operations';
import { CostSubject, newCost, type Cost } from '../bench/cost/cost-subject';
import { say } from '../bench/measure';
import { makePartners } from '../bench/partners';
import { placeTopups } from '../bench/topup-load';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import { sayFaults } from '../drill/say-faults';
import { reconcile } from '../reconcile';
import type { GrowthOptions } from './growth-options';
import { makeHistory } from './make-history';
import { readsOf, timeReads, type Read, type Took } from './reads';
import { migrateUnderLoad } from './rolling-migration';

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
    const { isNew, ...many } = await makeHistory(large, options.orders, options);
    const reconciled = async (): Promise<void> => {
      faults['reconciliation'] = await compareRecords(large);
    };
    if (isNew) await reconciled();
    faults['reads'] = await withPlatform({}, async (small) => {
      const few = await makeHistory(small, Math.ceil(options.orders / SHARE), options);
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
