import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import type { StatusChange } from './domain/history';

// Raw: the log's lines are read by the database, whose clock wrote them.
const CHANGES: PreparedStatement = {
  name: 'order_status_log',
  text: `SELECT 'epoch'::timestamptz + split_part(line, ' ', 1)::bigint * interval '1 microsecond' AS "occurredAt",
      split_part(line, ' ', 2) AS status
    FROM orders, string_to_table(rtrim(status_log, E'\\n'), E'\\n') WITH ORDINALITY AS change (line, n)
    WHERE id = $1 AND status_log <> '' ORDER BY n`,
};

/** Reads when an order took which status. */
export class HistoryRepository {
  constructor(private readonly pool: Pool) {}

  /** What was written since its submission, oldest first; nothing of an order that is older than the log. */
  list(orderId: string): Promise<StatusChange[]> {
    return query<StatusChange>(this.pool, CHANGES, [orderId]);
  }
}
