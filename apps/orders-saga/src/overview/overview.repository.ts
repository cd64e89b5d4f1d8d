import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import type { OrderEnvironment, OrderStatus } from '../order/domain/order';

/** An environment and a time: `fromAt` inclusive, `toAt` exclusive. */
export interface OverviewSpan {
  readonly environment: OrderEnvironment;
  readonly fromAt: Date;
  readonly toAt: Date;
}

/** Orders of one product and status that were submitted within an hour; the amount is a decimal. */
export interface HourRow {
  readonly hourAt: Date;
  readonly product: string;
  readonly status: OrderStatus;
  readonly count: number;
  readonly amount: string;
  readonly currency: string;
}

/** What came of creates: how many succeeded and how long they took, by nearest rank, and how many were refused. */
export interface CreatesRow {
  readonly created: number;
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  readonly refusals: readonly { readonly code: string; readonly count: number }[];
}

/** What waits for a person now. */
export interface WaitingRow {
  readonly waitingOrders: number;
  readonly waitingReturnRequests: number;
}

// Raw: grouped by the hour of UTC, which Prisma does not know. By orders_of_all, which says that amounts are not below 0.
const orders = (visible: string): PreparedStatement => ({
  name: 'overview_orders',
  text: `SELECT date_trunc('hour', submitted_at, 'UTC') AS "hourAt", product, status, count(*)::int AS count,
      sum(amount)::text AS amount, currency
    FROM orders
    WHERE environment = $1 AND amount >= 0 AND submitted_at >= $2 AND submitted_at < $3 AND ${visible}
    GROUP BY 1, 2, 3, currency ORDER BY 1, 2, 3`,
});

// Raw: ranks over the elements of arrays. percentile_disc is the nearest rank.
const CREATES: PreparedStatement = {
  name: 'overview_creates',
  text: `WITH answered AS (
      SELECT r.code, e.duration_ms
      FROM create_results AS r, unnest(r.offsets_ms, r.durations_ms) AS e (offset_ms, duration_ms)
      WHERE r.environment = $1 AND r.ended_at >= $2 AND r.ended_at < $3::timestamptz + interval '1 minute' AND r.started_at < $3
        AND r.started_at + e.offset_ms * interval '1 millisecond' >= $2
        AND r.started_at + e.offset_ms * interval '1 millisecond' < $3
    ), refused AS (
      SELECT code, count(*)::int AS count FROM answered WHERE code <> '' GROUP BY code
    )
    SELECT count(*)::int AS created, percentile_disc(0.5) WITHIN GROUP (ORDER BY duration_ms) AS "p50Ms",
      percentile_disc(0.99) WITHIN GROUP (ORDER BY duration_ms) AS "p99Ms",
      (SELECT coalesce(jsonb_agg(refused ORDER BY count DESC, code), '[]') FROM refused) AS refusals
    FROM answered WHERE code = ''`,
};

// Raw: one snapshot of both. An order counts once, whatever of it waits.
const WAITING: PreparedStatement = {
  name: 'overview_waiting',
  text: `SELECT (SELECT count(*)::int FROM (
        SELECT id FROM orders WHERE environment = $1 AND amount >= 0 AND status = 'InterventionRequired'
        UNION SELECT o.id FROM orders AS o JOIN (
          SELECT order_id FROM sagas WHERE state = 'Parked'
          UNION SELECT order_id FROM order_tasks WHERE state = 'Open' AND parked_at IS NOT NULL
        ) AS parked ON parked.order_id = o.id WHERE o.environment = $1
      ) AS waiting) AS "waitingOrders",
      (SELECT count(*)::int FROM return_requests AS r JOIN orders AS o ON o.id = r.order_id
        WHERE r.status = 'Pending' AND o.environment = $1) AS "waitingReturnRequests"`,
};

/** Reads what operators see of an environment at a glance; one snapshot for all of it. */
export class OverviewRepository {
  constructor(
    private readonly pool: Pool,
    private readonly visible: string,
  ) {}

  /** The orders and creates of the span, and what waits now. */
  read({ environment, fromAt, toAt }: OverviewSpan): Promise<[HourRow[], CreatesRow, WaitingRow]> {
    const span = [environment, fromAt, toAt];
    return withTransaction(
      this.pool,
      async (tx) => {
        const hours = await query<HourRow>(tx, orders(this.visible), span);
        const [creates] = await query<CreatesRow>(tx, CREATES, span);
        const [waiting] = await query<WaitingRow>(tx, WAITING, [environment]);
        if (!creates || !waiting) throw new Error('an aggregate returned no row');
        return [hours, creates, waiting];
      },
      { isolation: 'REPEATABLE READ' },
    );
  }
}
