import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import { takeTotalsTurn } from '../order/order-totals.repository';

const HOUR_MS = 3_600_000;
/** Orders of the last hours still come and move. */
const REST_MS = 2 * HOUR_MS;
/** Looked at in one turn: the last days, where orders still move, and as much of the history before, further back each turn. */
const WINDOW_MS = 32 * 24 * HOUR_MS;
const MOST_HOURS = 100;

/** Totals of all partners (order_totals) are under the nil uuid; level 0 are hours. */
const OF_ALL = `partner_id = '00000000-0000-0000-0000-000000000000' AND level = 0`;

/**
 * SQL that returns the hours from `from` on and before `to`, of the environments given, whose amounts are not known: they were never added up,
 * or an order of theirs moved since, which takes the amounts away when it is folded and until then is in order_total_changes.
 */
export const unknownHours = ({
  from,
  to,
  environments,
}: Record<'from' | 'to' | 'environments', string>): string => `(
    SELECT environment, starts_at AS hour FROM order_totals
    WHERE ${OF_ALL} AND environment = ANY (${environments}) AND starts_at >= ${from} AND starts_at < ${to}
    EXCEPT SELECT environment, hour FROM hour_amounts WHERE environment = ANY (${environments}) AND hour >= ${from} AND hour < ${to}
  )
  UNION SELECT environment, hour FROM order_total_changes
  WHERE environment = ANY (${environments}) AND hour >= ${from} AND hour < ${to}`;

// Raw: totals against amounts. A Pending order may not be priced yet, so its hour waits; one with a change waits until that is folded.
const DUE: PreparedStatement = {
  name: 'hour_amounts_due',
  text: `SELECT environment, hour FROM (${unknownHours({ from: '$1', to: '$2', environments: `'{live,sandbox}'` })}) AS unknown
    WHERE NOT EXISTS (SELECT FROM order_totals WHERE ${OF_ALL} AND environment = unknown.environment AND starts_at = unknown.hour AND status = 'Pending')
      AND NOT EXISTS (SELECT FROM order_total_changes AS c WHERE c.environment = unknown.environment AND c.hour = unknown.hour)
    ORDER BY hour DESC LIMIT ${MOST_HOURS}`,
};

const FORGET: PreparedStatement = {
  name: 'hour_amounts_forget',
  text: `DELETE FROM hour_amounts USING unnest($1::text[], $2::timestamptz[]) AS due (environment, hour)
    WHERE hour_amounts.environment = due.environment AND hour_amounts.hour = due.hour`,
};

// Raw: a sum over the orders of an hour each. By orders_of_all, which says that amounts are not below 0.
const ADD_UP: PreparedStatement = {
  name: 'hour_amounts_add_up',
  text: `INSERT INTO hour_amounts (environment, hour, product, status, currency, orders, amount)
    SELECT due.environment, due.hour, o.*
    FROM unnest($1::text[], $2::timestamptz[]) AS due (environment, hour), LATERAL (
      SELECT product, status, currency, count(*), sum(amount) FROM orders
      WHERE environment = due.environment AND amount >= 0 AND submitted_at >= due.hour AND submitted_at < due.hour + interval '1 hour'
      GROUP BY product, status, currency) AS o`,
};

const OLDEST: PreparedStatement = {
  name: 'hour_amounts_oldest',
  text: `SELECT min(starts_at) AS at FROM order_totals WHERE ${OF_ALL}`,
};

/** Adds up what the orders of past hours came to, so that an overview of a month reads hours and not orders. */
export class HourAmountsRepository {
  /** Where the next look at the history ends; undefined for before the last days. */
  private olderThan: number | undefined;

  constructor(private readonly pool: Pool) {}

  /** One turn of one instance; returns whether there is more to add up at once. */
  async addUp(now = Date.now()): Promise<boolean> {
    const newest = now - REST_MS;
    const older = this.olderThan ?? newest - WINDOW_MS;
    for (const to of [newest, older]) if (await this.addUpBetween(to - WINDOW_MS, to)) return true;
    const [oldest] = await query<{ at: Date | null }>(this.pool, OLDEST, []);
    const next = older - WINDOW_MS;
    this.olderThan = oldest?.at && oldest.at.getTime() < next ? next : undefined;
    return false;
  }

  /**
   * Under the lock of the totals: what moves an order afterwards is folded after it, and takes the hour's rows away again. Returns whether it was
   * as much as one turn takes.
   */
  private addUpBetween(from: number, to: number): Promise<boolean> {
    return withTransaction(this.pool, async (tx) => {
      if (!(await takeTotalsTurn(tx))) return false;
      const due = await query<{ environment: string; hour: Date }>(tx, DUE, [new Date(from), new Date(to)]);
      const hours = [due.map(({ environment }) => environment), due.map(({ hour }) => hour)];
      if (due.length > 0) {
        await query(tx, FORGET, hours);
        await query(tx, ADD_UP, hours);
      }
      return due.length === MOST_HOURS;
    });
  }
}
