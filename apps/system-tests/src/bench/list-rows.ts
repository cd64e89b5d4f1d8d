import { Pool } from 'undici';
import type { PartnerClient } from '../clients/partner-client';
import type { TestPartner } from '../clients/operator-client';
import type { Page } from '../clients/resources';
import type { StartedPlatform } from '../platform/start-platform';
import { seedHistory } from '../seed/seed-history';
import { say } from './measure';
import type { BenchOptions } from './options';
import type { BenchRow } from './report';
import { percentile } from '../percentile';

/** The yardstick's partner has a tenth of the orders. */
const SHARE = 10;
const LIMIT_MS = 50;
const RATIO_LIMIT = 1.5;
const PAGE_SIZE = 20;
const FILTERS = { 'no filter': '', 'status=Completed': '&status=Completed' };

/** The first page and page 500 of a long history, each in turn with the same of one with a tenth of the orders. */
export async function benchLists(
  platform: StartedPlatform,
  [large, small]: readonly TestPartner[],
  options: BenchOptions,
): Promise<BenchRow[]> {
  if (!large || !small) throw new Error('the lists need two partners');
  const fewer = Math.ceil(options.orders / SHARE);
  say(`seeding ${options.orders} and ${fewer} orders …`);
  await seed(platform, small, fewer);
  const seconds = await seed(platform, large, options.orders);
  say(`seeded in ${seconds.toFixed(0)} s; reading lists …`);
  const rows: BenchRow[] = [];
  for (const [filter, query] of Object.entries(FILTERS)) {
    for (const page of [1, 500]) {
      const path = (number: number): string => `/api/v1/orders?pageSize=${PAGE_SIZE}&page=${number}${query}`;
      const [own, other] = await readInTurn(
        platform.description.gatewayUrl,
        [large.live, path(page)],
        [small.live, path(page)],
        options.seconds * options.rounds,
      );
      rows.push(toRow(`Orders list, ${options.orders} orders, page ${page}, ${filter}`, fewer, own, other));
    }
  }
  return rows;
}

// Live: the rows before it place their top-ups in the sandbox.
function seed(platform: StartedPlatform, partner: TestPartner, count: number): Promise<number> {
  const { databases } = platform.description;
  return seedHistory({ databases, partners: [[partner, count]], environment: 'live', days: 800 });
}

/** Latencies in milliseconds, ascending: one request of each in turn, so that whatever else goes on meets both. */
async function readInTurn(
  gatewayUrl: string,
  own: readonly [PartnerClient, string],
  other: readonly [PartnerClient, string],
  seconds: number,
): Promise<[number[], number[]]> {
  const pool = new Pool(gatewayUrl, { connections: 1, pipelining: 1 });
  const reads = await Promise.all(
    [own, other].map(async ([client, path]) => ({
      path,
      token: await client.accessToken(),
      took: [] as number[],
    })),
  );
  const warmUpUntil = performance.now() + 1_000;
  const until = warmUpUntil + seconds * 1_000;
  while (performance.now() < until) {
    for (const { path, token, took } of reads) {
      const sentAt = performance.now();
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path,
        headers: { authorization: `Bearer ${token}` },
      });
      const response = (await body.json()) as { payload?: Page<unknown> };
      if (statusCode !== 200 || response.payload?.items.length !== PAGE_SIZE)
        throw new Error(`${path} returned ${statusCode} with ${response.payload?.items.length} orders`);
      if (sentAt >= warmUpUntil) took.push(performance.now() - sentAt);
    }
  }
  await pool.close();
  const [first, second] = reads.map(({ took }) => took);
  return [first!, second!];
}

function toRow(work: string, fewer: number, own: number[], other: number[]): BenchRow {
  const ratio = percentile(own, 0.95) / percentile(other, 0.95);
  return {
    work,
    target: `p95 ≤ ${RATIO_LIMIT} × of ${fewer} orders, ≤ ${LIMIT_MS} ms`,
    measured: percentile(own, 0.95),
    unit: 'ms (p95)',
    yardstick: percentile(other, 0.95),
    ratio,
    isReached: ratio <= RATIO_LIMIT && percentile(own, 0.95) <= LIMIT_MS,
    note: `p50 ${percentile(own, 0.5).toFixed(1)} ms, of ${fewer} orders ${percentile(other, 0.5).toFixed(1)} ms`,
  };
}
