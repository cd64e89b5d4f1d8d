import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import type { OrderEnvironment, OrderStatus } from '../order/domain/order';
import { PARKED_ORDERS } from '../order/parked.sql';
import { VENDOR_LANE } from '../products/lanes';
import { unknownHours } from './hour-amounts.repository';
import { durationsOf } from './hour-durations.repository';

/** An environment and a time: `fromAt` inclusive, `toAt` exclusive. */
export interface OverviewSpan {
  readonly environment: OrderEnvironment;
  readonly fromAt: Date;
  readonly toAt: Date;
}

/** Orders of one product and status by the hour of their submission, in hours since 1970 and in no order; the amounts are decimals. */
export interface SeriesRow {
  readonly product: string;
  readonly status: OrderStatus;
  readonly currency: string;
  readonly hours: number[];
  readonly counts: number[];
  readonly amounts: string[];
}

/** What came of creates: how many succeeded and how long they took, by nearest rank, and how many were refused. */
interface CreatesRow {
  readonly created: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly refusals: readonly { readonly code: string; readonly count: number }[];
}

/** How a vendor does: its calls by what came of them, how long those it responded to took, by nearest rank, and what waits for it now. */
export interface VendorRow {
  readonly name: string;
  readonly calls: number;
  readonly responses: number;
  readonly refusals: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly waitingOrders: number;
}

/** What waits for a person now. */
interface WaitingRow {
  readonly waitingOrders: number;
  readonly waitingReturnRequests: number;
}

const keyOf = ({ product, status, currency }: SeriesRow): string => `${product} ${status} ${currency}`;

const HOUR = `interval '1 hour'`;
/** The hours that are in the span as a whole: what is not, is read from the orders. */
const WHOLE = {
  from: `order_span(0, $2::timestamptz + ${HOUR} - interval '1 microsecond')`,
  to: `order_span(0, $3::timestamptz)`,
};

// Raw: hours whose amounts are known, and the orders of all others. By orders_of_all, which says that amounts are not below 0.
// In lists, for a row of each hour is three times as much to read here and to send on; in no order, for sorting is half of it.
const orders = (visible: string): PreparedStatement => ({
  name: 'overview_orders',
  text: `WITH unknown AS MATERIALIZED (
      SELECT hour FROM (${unknownHours({ ...WHOLE, environments: 'ARRAY[$1::text]' })}) AS whole
      UNION SELECT order_span(0, $2::timestamptz)
      UNION SELECT order_span(0, $3::timestamptz - interval '1 microsecond')
    )
    SELECT product, status, currency, array_agg((extract(epoch FROM hour) / 3600)::int) AS hours,
      array_agg(count) AS counts, array_agg(amount) AS amounts
    FROM (
      SELECT hour, product, status, orders::int AS count, amount::text AS amount, currency FROM hour_amounts
      WHERE environment = $1 AND hour >= ${WHOLE.from} AND hour < ${WHOLE.to} AND hour NOT IN (SELECT hour FROM unknown)
      UNION ALL
      SELECT hour, o.* FROM unknown, LATERAL (
        SELECT product, status, count(*)::int, sum(amount)::text, currency FROM orders
        WHERE environment = $1 AND amount >= 0 AND submitted_at >= greatest(hour, $2) AND submitted_at < least(hour + ${HOUR}, $3) AND ${visible}
        GROUP BY product, status, currency
      ) AS o
    ) AS by_hour
    GROUP BY product, status, currency`,
});

// Raw: ranks over numbers of milliseconds, each so often. The nearest rank is the least number that this share of them is not above.
const CREATES: PreparedStatement = {
  name: 'overview_creates',
  text: `WITH results AS MATERIALIZED (${durationsOf('creates')}), refused AS (
      SELECT outcome AS code, sum(n)::int AS count FROM results WHERE outcome <> '' GROUP BY outcome
    ), ranked AS (
      SELECT ms, n, sum(n) OVER (ORDER BY ms) AS rank, sum(n) OVER () AS ranks FROM results WHERE outcome = ''
    )
    SELECT coalesce(sum(n), 0)::int AS created, min(ms) FILTER (WHERE rank >= 0.5 * ranks) AS "p50Ms",
      min(ms) FILTER (WHERE rank >= 0.99 * ranks) AS "p99Ms",
      (SELECT coalesce(jsonb_agg(refused ORDER BY count DESC, code), '[]') FROM refused) AS refusals
    FROM ranked`,
};

// Raw: one snapshot of both. An order counts once, whatever of it waits.
const WAITING: PreparedStatement = {
  name: 'overview_waiting',
  text: `SELECT (SELECT count(*)::int FROM (
        SELECT id FROM orders WHERE environment = $1 AND amount >= 0 AND status = 'InterventionRequired'
        UNION SELECT o.id FROM orders AS o JOIN (${PARKED_ORDERS}) AS parked ON parked.order_id = o.id WHERE o.environment = $1
      ) AS waiting) AS "waitingOrders",
      (SELECT count(*)::int FROM return_requests AS r JOIN orders AS o ON o.id = r.order_id
        WHERE r.status = 'Pending' AND o.environment = $1) AS "waitingReturnRequests"`,
};

// Raw: as above. What waits for a vendor is found by the lanes, of which the index sagas_due has few besides what is due.
const VENDORS: PreparedStatement = {
  name: 'overview_vendors',
  text: `WITH measured AS (
      SELECT *, outcome NOT IN ('not-accepted', 'no-response') AS responded FROM (${durationsOf('calls')}) AS durations
    ), ranked AS (
      SELECT *, sum(n) FILTER (WHERE responded) OVER (PARTITION BY vendor ORDER BY ms) AS rank,
        sum(n) FILTER (WHERE responded) OVER (PARTITION BY vendor) AS ranks
      FROM measured
    ), called AS (
      SELECT vendor AS name, sum(n)::int AS calls, sum(n) FILTER (WHERE responded)::int AS responses,
        sum(n) FILTER (WHERE outcome = 'refused')::int AS refusals,
        min(ms) FILTER (WHERE responded AND rank >= 0.5 * ranks) AS "p50Ms",
        min(ms) FILTER (WHERE responded AND rank >= 0.99 * ranks) AS "p99Ms"
      FROM ranked GROUP BY vendor
    ), waiting AS (
      SELECT substr(s.lane, ${VENDOR_LANE.length + 1}) AS name, count(*)::int AS orders
      FROM sagas AS s JOIN orders AS o ON o.id = s.order_id
      WHERE s.state = 'Active' AND s.lane ^@ '${VENDOR_LANE}' AND o.environment = $1
      GROUP BY 1
    )
    SELECT name, coalesce(calls, 0) AS calls, coalesce(responses, 0) AS responses, coalesce(refusals, 0) AS refusals, "p50Ms", "p99Ms",
      coalesce(orders, 0) AS "waitingOrders"
    FROM called FULL JOIN waiting USING (name) FULL JOIN unnest($4::text[]) AS configured (name) USING (name)
    ORDER BY name`,
};

/** Reads what operators see of an environment at a glance; one snapshot for all of it. */
export class OverviewRepository {
  constructor(
    private readonly pool: Pool,
    private readonly visible: string,
  ) {}

  /** The orders, creates and vendor calls of the span, and what waits now; the vendors named are there also without a call. */
  read(
    { environment, fromAt, toAt }: OverviewSpan,
    vendorNames: readonly string[],
  ): Promise<[SeriesRow[], CreatesRow, WaitingRow, VendorRow[]]> {
    const span = [environment, fromAt, toAt];
    return withTransaction(
      this.pool,
      async (tx) => {
        const series = await query<SeriesRow>(tx, orders(this.visible), span);
        series.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
        const [creates] = await query<CreatesRow>(tx, CREATES, span);
        const [waiting] = await query<WaitingRow>(tx, WAITING, [environment]);
        if (!creates || !waiting) throw new Error('an aggregate returned no row');
        return [series, creates, waiting, await query<VendorRow>(tx, VENDORS, [...span, vendorNames])];
      },
      { isolation: 'REPEATABLE READ' },
    );
  }
}
