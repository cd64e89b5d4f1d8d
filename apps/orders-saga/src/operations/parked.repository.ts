import { pageBounds, query, toPageInfo, type PreparedStatement } from '@reseller/database';
import type { PageInfo, PageRequest } from '@reseller/contracts';
import type { Pool } from 'pg';
import type { Order } from '../order/domain/order';
import { ORDER_COLUMNS, toOrder, type OrderRow } from '../order/order-row';
import type { OrderFilter } from '../order/order.repository';
import { reasonOfCode } from '../saga/domain/failure';
import { isErrorCode } from '@reseller/errors';

/** What of an order is not tried any more until a person says so. */
export interface Parked {
  readonly orderId: string;
  readonly step: string;
  readonly code: string;
  readonly reason: string;
  readonly since: Date;
  /** The fulfillment group or return request, of an operator's decision. */
  readonly subjectId: string | null;
}

const UNDECIDED = 'Nobody can tell by asking what became of this step.';

// Raw: sagas and tasks by one snapshot; of a saga the last result that was no success.
const FIND: PreparedStatement = {
  name: 'parked_find',
  text: `SELECT s.order_id AS "orderId", coalesce(j.details ->> 'at', j.step) AS step,
      coalesce(j.details ->> 'code', 'UNDECIDED') AS code, j.details ->> 'reason' AS reason, j.recorded_at AS since,
      NULL::uuid AS "subjectId"
    FROM sagas s CROSS JOIN LATERAL (SELECT step, details, recorded_at FROM saga_steps
      WHERE order_id = s.order_id AND phase = 'result' AND outcome IN ('Failed', 'Unknown') AND step NOT LIKE 'operator.%'
      ORDER BY seq DESC LIMIT 1) AS j
    WHERE s.order_id = ANY ($1) AND s.state = 'Parked'
    UNION ALL
    SELECT order_id, 'operator.' || kind, failure_code, NULL, parked_at, subject_id FROM order_tasks
    WHERE order_id = ANY ($1) AND state = 'Open' AND parked_at IS NOT NULL`,
};

const OF_PARKED = `FROM orders WHERE id = ANY (ARRAY(SELECT order_id FROM sagas WHERE state = 'Parked'
    UNION SELECT order_id FROM order_tasks WHERE state = 'Open' AND parked_at IS NOT NULL))
  AND ($1::uuid IS NULL OR partner_id = $1) AND ($2::text IS NULL OR environment = $2) AND ($3::text IS NULL OR status = $3)`;

// Raw: with the list's own conditions; both begin with what is parked, which is little.
const COUNT: PreparedStatement = { name: 'parked_count', text: `SELECT count(*)::int AS total ${OF_PARKED}` };

// Raw: orders are read by the one list of their columns.
const LIST: PreparedStatement = {
  name: 'parked_list',
  text: `SELECT ${ORDER_COLUMNS} ${OF_PARKED} ORDER BY submitted_at DESC, id DESC LIMIT $4 OFFSET $5`,
};

/** Reads what waits for a person. */
export class ParkedRepository {
  constructor(private readonly pool: Pool) {}

  /** Of these orders. */
  async find(orderIds: readonly string[]): Promise<Parked[]> {
    if (orderIds.length === 0) return [];
    const rows = await query<Omit<Parked, 'reason'> & { reason: string | null }>(this.pool, FIND, [orderIds]);
    return rows.map((row) => ({ ...row, reason: row.reason ?? reasonFor(row.code) }));
  }

  /** Orders of which something is parked, newest first. */
  async list(
    { partnerId, environment, status }: Pick<OrderFilter, 'partnerId' | 'environment' | 'status'>,
    page: PageRequest | undefined,
  ): Promise<{ orders: Order[]; page: PageInfo }> {
    const { limit, offset } = pageBounds(page);
    const values = [partnerId, environment, status];
    const [counted, rows] = await Promise.all([
      query<{ total: number }>(this.pool, COUNT, values),
      query<OrderRow>(this.pool, LIST, [...values, limit, offset]),
    ]);
    return { orders: rows.map(toOrder), page: toPageInfo(page, counted[0]?.total ?? 0) };
  }
}

const reasonFor = (code: string): string => (isErrorCode(code) ? reasonOfCode(code) : UNDECIDED);
