import type { PreparedStatement } from '@reseller/database';
import { ORDER_COLUMNS } from '../../../order/order-row';

/** The columns of order_tasks under the names of OrderTask. */
export const TASK_COLUMNS = `id, order_id AS "orderId", kind, subject_id AS "subjectId", operator,
  journal_attempt AS "journalAttempt", state, attempts, origin, by_partner AS "isByPartner", lease_until::text AS "leaseUntil"`;

// Raw: both rows are locked before anything is decided by them, the saga first, as by everybody who changes an order.
export const LOCK: PreparedStatement = {
  name: 'fulfillment_lock',
  text: `WITH saga AS MATERIALIZED (SELECT order_id FROM sagas WHERE order_id = $1 FOR NO KEY UPDATE)
    SELECT ${ORDER_COLUMNS} FROM saga JOIN orders ON orders.id = saga.order_id
    WHERE orders.product = 'Scent' FOR NO KEY UPDATE OF orders`,
};

// Raw: the database's clock, in the transaction of the lock.
export const MOVE_ORDER: PreparedStatement = {
  name: 'fulfillment_move_order',
  text: `UPDATE orders SET status = $2,
      status_log = CASE WHEN $2 = status THEN status_log
        ELSE concat(status_log, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, ' ', $2::text, E'\\n') END,
      completed_at = CASE WHEN $2 IN ('Completed', 'Cancelled')
      THEN coalesce(completed_at, clock_timestamp()) ELSE completed_at END
    WHERE id = $1 RETURNING ${ORDER_COLUMNS}`,
};

// Raw: the database's clock, in the transaction of the lock.
export const MOVE_GROUP: PreparedStatement = {
  name: 'fulfillment_move_group',
  text: `UPDATE fulfillment_groups SET status = $2,
      shipped_at = CASE WHEN $2 = 'Shipped' THEN clock_timestamp() ELSE shipped_at END,
      delivered_at = CASE WHEN $2 = 'Delivered' THEN clock_timestamp() END,
      cancelled_at = CASE WHEN $2 = 'Cancelled' THEN clock_timestamp() END
    WHERE id = $1`,
};

// Raw: an entry is numbered in the statement that writes it, in the transaction of the lock; no row for one that is there already.
export const NOTE: PreparedStatement = {
  name: 'fulfillment_note',
  text: `WITH entry AS MATERIALIZED (
      SELECT coalesce($3::integer, count(*)::integer) AS attempt, count(*) FILTER (WHERE attempt = $3::integer) AS times
      FROM saga_steps WHERE order_id = $1 AND step = $2 AND phase = $4
    )
    UPDATE sagas SET journal = concat_ws(E'\\n',
      journal_lines(jsonb_build_array($2::text, entry.attempt, $5::text, $6::jsonb)::text), nullif(journal, ''))
    FROM entry WHERE order_id = $1 AND times = 0 RETURNING attempt`,
};

// Raw: read in the transaction of the lock.
export const FIND_TASK: PreparedStatement = {
  name: 'fulfillment_find_task',
  text: `SELECT ${TASK_COLUMNS} FROM order_tasks WHERE kind = $1 AND subject_id = $2`,
};

// Raw: the lease ends by the database's clock, in the transaction of the lock.
export const SET_TASK: PreparedStatement = {
  name: 'fulfillment_set_task',
  text: `INSERT INTO order_tasks (id, order_id, kind, subject_id, operator, journal_attempt, lease_owner, lease_until, origin, by_partner)
    VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8 * interval '1 millisecond', $9, $10) RETURNING ${TASK_COLUMNS}`,
};

// Raw: an open task is closed once, in the statement that finds it open.
export const CLOSE_TASK: PreparedStatement = {
  name: 'fulfillment_close_task',
  text: `UPDATE order_tasks SET state = 'Done', lease_owner = NULL, lease_until = NULL
    WHERE id = $1 AND state = 'Open' RETURNING id`,
};

// Raw: the window ends by the database's clock.
export const WITHIN: PreparedStatement = {
  name: 'fulfillment_within',
  text: `SELECT FROM fulfillment_groups
    WHERE id = $1 AND clock_timestamp() <= delivered_at + $2 * interval '1 millisecond'`,
};

// Raw: units are claimed in one statement, which scent_order_lines_returns refuses when there are none left. More than
// were bought is as good as one too many, and keeps the sum a number.
export const CLAIM: PreparedStatement = {
  name: 'fulfillment_claim',
  text: `UPDATE scent_order_lines l SET claimed_quantity = claimed_quantity + least(a.quantity, l.quantity + 1)
    FROM unnest($1::uuid[], $2::int[]) AS a (id, quantity) WHERE l.id = a.id`,
};

// Raw: a request and its lines by one statement, at the database's time.
export const REQUEST_RETURN: PreparedStatement = {
  name: 'fulfillment_request_return',
  text: `WITH request AS (
      INSERT INTO return_requests (id, order_id, group_id) VALUES ($1, $2, $3) RETURNING id, requested_at
    ), lines AS (
      INSERT INTO return_request_lines (id, request_id, position, order_line_id, quantity, reason)
      SELECT l.id, request.id, l.position, l."orderLineId", l.quantity, l.reason FROM request,
        jsonb_to_recordset($4) AS l (id uuid, position int, "orderLineId" uuid, quantity int, reason text)
    )
    SELECT requested_at AS "requestedAt" FROM request`,
};

// Raw: a request is decided once, in the statement that returns or frees its units.
export const DECIDE_RETURN: PreparedStatement = {
  name: 'fulfillment_decide_return',
  text: `WITH decided AS (
      UPDATE return_requests SET status = $2, decided_at = clock_timestamp(), decided_by_user_id = $3, decline_reason = $4
      WHERE id = $1 AND status = 'Pending' RETURNING id, decided_at
    ), lines AS (
      UPDATE scent_order_lines o SET claimed_quantity = o.claimed_quantity - r.quantity,
        returned_quantity = o.returned_quantity + CASE WHEN $2 = 'Approved' THEN r.quantity ELSE 0 END
      FROM decided, return_request_lines r WHERE r.request_id = decided.id AND o.id = r.order_line_id
    )
    SELECT decided_at AS "decidedAt" FROM decided`,
};

// Raw: read in the transaction of the lock.
export const RETURN_STATUS: PreparedStatement = {
  name: 'fulfillment_return_status',
  text: 'SELECT status FROM return_requests WHERE id = $1',
};
