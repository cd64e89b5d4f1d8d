import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startPlatform, type StartedPlatform } from '../platform/start-platform';
import { makeDue, seedBacklog, type BacklogSeed } from '../seed/seed-backlog';
import { measureVendor, startVendor } from './backlog-vendor';
import type { LoadResult } from './http-load';
import { say } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { placeTopups } from './topup-load';
import { makePartners } from './partners';

const BACKLOG = 180_000;
const VENDOR = 'bench-vendor';
/** As many as a lane has by default, which is more than the vendor works on at once. */
const CONNECTIONS = 20;
/** Of the fresh orders: enough to notice every delay, and room left on the machine. */
const CLIENTS = 4;
const LEAST_DRAINED = 0.9;
const LEAST_FRESH = 0.9;

/** A backlog of orders that wait for one vendor of a known speed, and fresh orders beside it. On a platform of its own. */
export async function benchBacklog(options: BenchOptions): Promise<BenchRow[]> {
  const vendor = await startVendor();
  const sells = { products: ['*'], geoScopes: ['*'], priority: 1 };
  const vendors = [{ name: VENDOR, url: vendor.url, apiKey: 'bench-vendor-key', ...sells }];
  const platform = await startPlatform({ ACCESS_LOG: 'off', VENDORS: JSON.stringify(vendors) });
  try {
    const [owner, fresh] = await makePartners(platform, 2);
    if (!owner || !fresh) throw new Error('the backlog needs two partners');
    const { databases, gatewayUrl } = platform.description;
    const seed = {
      databases,
      partnerId: owner.id,
      partnerGlobalId: owner.globalId,
      vendor: VENDOR,
      count: BACKLOG,
    };
    say(`seeding a backlog of ${BACKLOG} orders …`);
    await seedBacklog(seed);
    const capacity = await measureVendor(vendor.url, CONNECTIONS, options.seconds);
    const place = (seconds: number): Promise<LoadResult> =>
      placeTopups({ gatewayUrl, partners: [fresh.sandbox], connections: CLIENTS, seconds });
    const seconds = options.seconds * options.rounds;
    say('placing top-ups without it and beside it …');
    await place(Math.min(5, options.seconds));
    const without = await place(seconds);
    await makeDue(seed);
    await untilDraining(platform, seed);
    const before = await countDrained(seed);
    const beside = await place(seconds);
    const drained = ((await countDrained(seed)) - before) / beside.seconds;
    return [drainRow(drained, capacity), freshRow(without, beside)];
  } finally {
    await platform.stop();
    vendor.stop();
  }
}

const DRAINED = `SELECT count(*)::integer AS n FROM orders WHERE partner_id = $1 AND environment = 'live' AND product = 'Topup'
  AND status = 'Completed'`;

async function countDrained({ databases, partnerId }: BacklogSeed): Promise<number> {
  const client = new pg.Client({ connectionString: databases['orders-saga'] });
  await client.connect();
  try {
    const { rows } = await client.query<{ n: number }>(DRAINED, [partnerId]);
    return rows[0]?.n ?? 0;
  } finally {
    await client.end();
  }
}

/** Until the lane is full, which is when a hundred are through. */
async function untilDraining(platform: StartedPlatform, seed: BacklogSeed): Promise<void> {
  const giveUpAt = Date.now() + 30_000;
  while ((await countDrained(seed)) < 100) {
    if (Date.now() > giveUpAt) throw new Error(`the backlog does not drain:\n${platform.said()}`);
    await pause(100);
  }
}

function drainRow(measured: number, capacity: number): BenchRow {
  const ratio = measured / capacity;
  return {
    work: `Backlog of ${BACKLOG} due orders, drained beside fresh ones`,
    target: `≥ ${LEAST_DRAINED} of what the vendor does`,
    measured,
    unit: 'orders/s',
    yardstick: capacity,
    ratio,
    isReached: ratio >= LEAST_DRAINED,
    note: `${CONNECTIONS} connections to the vendor at most`,
  };
}

function freshRow(without: LoadResult, beside: LoadResult): BenchRow {
  const [own, other] = [beside.count / beside.seconds, without.count / without.seconds];
  return {
    work: `POST top-up, ${CLIENTS} connections, beside that backlog`,
    target: `≥ ${LEAST_FRESH} of the same without it`,
    measured: own,
    unit: 'orders/s',
    yardstick: other,
    ratio: own / other,
    isReached: own / other >= LEAST_FRESH && beside.failures === 0,
    note: `p99 ${Math.round(beside.p99)} ms, without ${Math.round(without.p99)} ms, ${beside.failures} failed`,
  };
}
