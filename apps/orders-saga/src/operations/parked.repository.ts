import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import { IS_PARKED } from '../order/parked.sql';
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
    WHERE s.order_id = ANY ($1) AND s.${IS_PARKED.saga}
    UNION ALL
    SELECT order_id, 'operator.' || kind, failure_code, NULL, parked_at, subject_id FROM order_tasks
    WHERE order_id = ANY ($1) AND ${IS_PARKED.task}`,
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
}

const reasonFor = (code: string): string => (isErrorCode(code) ? reasonOfCode(code) : UNDECIDED);
