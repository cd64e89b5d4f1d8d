import { Pool } from 'undici';
import { say } from '../bench/measure';
import { OperatorClient, type TestPartner } from '../clients/operator-client';
import type { Page } from '../clients/resources';
import { expectSuccess } from '../clients/response';
import type { PlatformDescription } from '../platform/platform-file';
import { percentile } from '../percentile';

/** A read that people and programs wait for. */
export interface Read {
  readonly name: string;
  readonly url: string;
  readonly token: string;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const PAGE_SIZE = 20;
/** A page far behind the first, of the longest history when it is small. */
const DEEP = 500;

/** Orders in the time of a report: it grows with what it lists, whatever else there is. */
const REPORTED = 20;

/** A partner and how often it ordered. */
export interface Seller {
  readonly partner: TestPartner;
  /** Between two of its orders. */
  readonly gapMs: number;
}

/** Lists, look-ups, figures, reports and the overview, of a partner with a history and of operators over all of them. */
export async function readsOf(platform: PlatformDescription, { partner, gapMs }: Seller): Promise<Read[]> {
  const { gatewayUrl, backofficeUrl, operatorToken } = platform;
  const token = await partner.live.accessToken();
  const operator = new OperatorClient(platform);
  const page = await operator.get<Page<Named>>(`/orders?partnerId=${partner.id}&status=Completed&pageSize=1`);
  const [order] = page.items;
  if (!order) throw new Error('the partner has no orders');
  const subscriptions = expectSuccess(await partner.live.call<Page<{ id: string }>>('/webhooks'));
  const subscription = subscriptions.items[0]?.id;
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const since = (days: number): string =>
    `${new Date(midnight - days * DAY_MS).toISOString()}&to=${new Date(midnight).toISOString()}`;
  const lastYear = (day: number, ms = 0): string =>
    new Date(midnight - (365 + day) * DAY_MS + ms).toISOString();
  const noonMs = 12 * HOUR_MS;
  const reference = encodeURIComponent(order.externalReference);
  const own: Record<string, string> = {
    'orders, first page': `/orders?pageSize=${PAGE_SIZE}`,
    [`orders, page ${DEEP}`]: `/orders?pageSize=${PAGE_SIZE}&page=${DEEP}`,
    'orders by status, first page': `/orders?pageSize=${PAGE_SIZE}&status=Failed`,
    'orders of a year ago': `/orders?pageSize=${PAGE_SIZE}&fromDate=${lastYear(7)}&toDate=${lastYear(0)}`,
    'order by reference': `/orders?externalReference=${reference}`,
    'order by its global id': `/orders/by-global-id/${order.orderGlobalId}`,
    'order’s timeline': `/orders/${order.orderGlobalId}/timeline`,
    balance: '/wallet/balance',
    'transactions, first page': `/wallet/transactions?pageSize=${PAGE_SIZE}`,
    [`transactions, page ${DEEP}`]: `/wallet/transactions?pageSize=${PAGE_SIZE}&page=${DEEP}`,
    [`report of ${REPORTED} orders`]: `/statements?mode=report&periodFrom=${lastYear(1, noonMs)}&periodTo=${lastYear(1, noonMs + REPORTED * gapMs)}`,
    events: '/events',
    deliveries: `/webhooks/${subscription}/deliveries?pageSize=${PAGE_SIZE}`,
  };
  const operators: Record<string, string> = {
    'overview of a day': `/overview?environment=live&from=${since(1)}`,
    'overview of 30 days': `/overview?environment=live&from=${since(30)}`,
    'orders, first page': `/orders?environment=live&pageSize=${PAGE_SIZE}`,
    [`orders, page ${DEEP}`]: `/orders?environment=live&pageSize=${PAGE_SIZE}&page=${DEEP}`,
    'orders that need a person': `/orders?environment=live&status=InterventionRequired&pageSize=${PAGE_SIZE}`,
    'orders of a number': `/orders?environment=live&phoneNumber=${encodeURIComponent(order.phoneNumber ?? '+966500000000')}`,
    'orders by reference': `/orders?externalReference=${reference}`,
    'search by reference': `/search?q=${reference}`,
    'order’s timeline': `/orders/${order.orderGlobalId}/timeline`,
    'partner’s transactions': `/partners/${partner.id}/wallet/transactions?environment=live&pageSize=${PAGE_SIZE}`,
    deliveries: `/webhook-deliveries?pageSize=${PAGE_SIZE}`,
    'deliveries in vain': `/webhook-deliveries?status=DeadLettered&pageSize=${PAGE_SIZE}`,
  };
  return [
    ...Object.entries(own).map(([name, path]) => ({
      name: `partner: ${name}`,
      url: `${gatewayUrl}/api/v1${path}`,
      token,
    })),
    ...Object.entries(operators).map(([name, path]) => ({
      name: `operator: ${name}`,
      url: `${backofficeUrl}/ops/v1${path}`,
      token: operatorToken,
    })),
  ];
}

interface Named {
  readonly orderGlobalId: string;
  readonly externalReference: string;
  readonly phoneNumber?: string | null;
}

/** How long a read took, in milliseconds, and how long its response was. */
export interface Took {
  readonly p50: number;
  readonly p95: number;
  readonly bytes: number;
}

/** Before code is compiled and pages are in memory. */
const WARM_UP_ROUNDS = 20;

/**
 * Each read of each platform so many times, one after the other and the same of all platforms in turn, so that whatever else goes on
 * meets all; rejects where one fails. Returns them by platform.
 */
export async function timeReads(
  platforms: readonly (readonly Read[])[],
  times: number,
): Promise<ReadonlyMap<string, Took>[]> {
  const pools = new Map<string, Pool>();
  const timed = platforms.map((reads) => reads.map((read) => ({ read, took: [] as number[], bytes: 0 })));
  const inTurn = (timed[0] ?? []).flatMap((_, place) => timed.flatMap((reads) => reads[place] ?? []));
  try {
    for (let round = 0; round < WARM_UP_ROUNDS + times; round += 1) {
      for (const one of inTurn) {
        const isMeasured = round >= WARM_UP_ROUNDS;
        const sentAt = performance.now();
        one.bytes = await readOnce(one.read, pools, isMeasured ? [] : [503]);
        if (isMeasured) one.took.push(performance.now() - sentAt);
      }
    }
  } finally {
    await Promise.all([...pools.values()].map((pool) => pool.close()));
  }
  return timed.map(
    (reads) => new Map(reads.map(({ read, took, bytes }) => [read.name, { ...ranksOf(took), bytes }])),
  );
}

/** Returns the length of the response; one with a status among those that are borne is said and no more. */
async function readOnce(
  { name, url, token }: Read,
  pools: Map<string, Pool>,
  borne: readonly number[],
): Promise<number> {
  const { origin, pathname, search } = new URL(url);
  const pool = pools.get(origin) ?? new Pool(origin, { connections: 1, pipelining: 1 });
  pools.set(origin, pool);
  const { statusCode, body } = await pool.request({
    method: 'GET',
    path: `${pathname}${search}`,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  const returned = `${name} (${pathname}${search}) returned ${statusCode}: ${text}`;
  if (borne.includes(statusCode)) say(`  before anything is in memory: ${returned}`);
  else if (statusCode !== 200) throw new Error(returned);
  return text.length;
}

function ranksOf(took: number[]): Pick<Took, 'p50' | 'p95'> {
  return { p50: percentile(took, 0.5), p95: percentile(took, 0.95) };
}
