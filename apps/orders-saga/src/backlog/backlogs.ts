import type { BacklogReading } from '@reseller/database';
import { IS_PARKED } from '../order/parked.sql';
import { PRODUCTS } from '../products';
import { FOUND_LANES } from '../saga/claim.sql';

/** Looked at of each kind or lane; with more waiting than that, counts stop there and ages are of those due longest. */
const MOST = 2_000;

const DUE_OF_LANE = `SELECT wake_at, lease_owner FROM sagas
  WHERE state = 'Active' AND lane = found.name AND wake_at <= clock_timestamp() ORDER BY wake_at LIMIT ${MOST}`;

const NAMES = `(VALUES ${PRODUCTS.map(({ name }) => `('${name}')`).join(', ')}) AS p (product)`;
const STEPS = `(VALUES ('funds.reserve'), ('vendor.submit'), ('funds.capture')) AS t (step)`;

/** How long sagas have stood at their open step; `sagas_due` finds them, two keys lead to the rest. */
// Raw: by index, of a bounded number of rows, in one statement.
const STEP_AGES: BacklogReading = {
  name: 'sagas',
  statement: {
    name: 'saga_step_ages',
    text: `WITH RECURSIVE ${FOUND_LANES}, current_steps AS MATERIALIZED (
        SELECT o.product, coalesce(i.step, 'none') AS step, coalesce(i.recorded_at, o.submitted_at) AS since
        FROM found CROSS JOIN LATERAL
          (SELECT order_id FROM sagas WHERE state = 'Active' AND lane = found.name ORDER BY wake_at LIMIT ${MOST}) AS s
        JOIN orders o ON o.id = s.order_id
        LEFT JOIN LATERAL (SELECT step, recorded_at FROM saga_steps WHERE order_id = s.order_id AND phase = 'intent'
                           AND step NOT LIKE 'operator.%' ORDER BY seq DESC LIMIT 1) AS i ON true
      )
      SELECT product, step, count(since) AS sagas,
        coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0) AS seconds
      FROM (SELECT product, step, since FROM current_steps
            UNION ALL SELECT p.product, t.step, NULL FROM ${NAMES}, ${STEPS}) AS counted
      GROUP BY product, step`,
  },
  labels: ['product', 'step'],
  gauges: [
    {
      name: 'saga_active',
      help: `Orders under way, by the step they stand at, of the ${MOST} due longest in each lane. Every instance shows the same: take max().`,
      column: 'sagas',
    },
    {
      name: 'saga_step_oldest_seconds',
      help: `How long the order that stands longest has stood at a step, of the ${MOST} due longest in each lane. Every instance shows the same: take max().`,
      column: 'seconds',
    },
  ],
};

/** What is due and nobody has taken: the heads of the lanes in `sagas_due`. */
// Raw: by index, of a bounded number of rows, in one statement.
const OVERDUE: BacklogReading = {
  name: 'sagas-due',
  statement: {
    name: 'saga_overdue',
    text: `WITH RECURSIVE ${FOUND_LANES}
      SELECT k.kind, count(d.wake_at) AS sagas,
        coalesce(extract(epoch FROM clock_timestamp() - min(d.wake_at)), 0) AS seconds
      FROM (VALUES ('poll'), ('lapsed-lease')) AS k (kind)
      LEFT JOIN (SELECT s.wake_at, CASE WHEN s.lease_owner IS NULL THEN 'poll' ELSE 'lapsed-lease' END AS kind
                 FROM found CROSS JOIN LATERAL (${DUE_OF_LANE}) AS s) AS d USING (kind)
      GROUP BY k.kind`,
  },
  labels: ['kind'],
  gauges: [
    {
      name: 'saga_due',
      help: `Orders that are due and nobody has taken, up to ${MOST} of each lane: a poll or retry, or one whose driver let its lease lapse. Every instance shows the same: take max().`,
      column: 'sagas',
    },
    {
      name: 'saga_overdue_seconds',
      help: 'How long the order that is due longest has been due and not taken. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
};

/** The same by what they wait for. */
// Raw: by index, of a bounded number of rows, in one statement.
const LANES_DUE: BacklogReading = {
  name: 'saga-lanes',
  statement: {
    name: 'saga_lanes_due',
    text: `WITH RECURSIVE ${FOUND_LANES}
      SELECT lane, count(s.wake_at) AS sagas,
        coalesce(extract(epoch FROM clock_timestamp() - min(s.wake_at)), 0) AS seconds
      FROM (SELECT name AS lane FROM found WHERE name IS NOT NULL
            UNION VALUES ('settlement'), ('checkout'), ('lapsed')) AS l
      LEFT JOIN found ON found.name = l.lane LEFT JOIN LATERAL (${DUE_OF_LANE}) AS s ON true
      GROUP BY lane`,
  },
  labels: ['lane'],
  gauges: [
    {
      name: 'saga_lane_due',
      help: `Orders that are due and nobody has taken, up to ${MOST}, by what they wait for: settlement, checkout, vendor:<name>, or lapsed, whose driver is gone. Every instance shows the same: take max().`,
      column: 'sagas',
    },
    {
      name: 'saga_lane_overdue_seconds',
      help: 'How long the order that is due longest in a lane has been due and not taken. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
};

/** What operators decided and is not carried out: the partial index over open tasks. */
// Raw: by index, of a bounded number of rows, in one statement.
const TASKS: BacklogReading = {
  name: 'order-tasks',
  statement: {
    name: 'order_task_backlog',
    text: `SELECT k.kind, e.environment, count(t.id) AS open, coalesce(max(t.attempts), 0) AS attempts,
        coalesce(extract(epoch FROM clock_timestamp() - min(uuidv7_time(t.id))), 0) AS seconds
      FROM (VALUES ('cancel-group'), ('approve-return')) AS k (kind) CROSS JOIN (VALUES ('live'), ('sandbox')) AS e (environment)
      LEFT JOIN (
        SELECT id, kind, attempts, (SELECT o.environment FROM orders o WHERE o.id = open.order_id) AS environment
        FROM (SELECT id, order_id, kind, attempts FROM order_tasks WHERE state = 'Open' ORDER BY next_at LIMIT ${MOST}) AS open
      ) AS t USING (kind, environment)
      GROUP BY k.kind, e.environment`,
  },
  labels: ['kind', 'environment'],
  gauges: [
    {
      name: 'order_tasks_open',
      help: `What operators decided and is not carried out, up to ${MOST}. Every instance shows the same: take max().`,
      column: 'open',
    },
    {
      name: 'order_task_oldest_seconds',
      help: 'How long ago the oldest decision was made that is not carried out. Every instance shows the same: take max().',
      column: 'seconds',
    },
    {
      name: 'order_task_attempts',
      help: 'How often the open decision that was tried most has failed. Every instance shows the same: take max().',
      column: 'attempts',
    },
  ],
};

/** What waits for people; an index by status serves either part. */
// Raw: by index, of a bounded number of rows, in one statement.
const FOR_OPERATORS: BacklogReading = {
  name: 'for-operators',
  statement: {
    name: 'orders_for_operators',
    text: `SELECT what, environment, count(since) AS waiting,
        coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0) AS seconds
      FROM (
        SELECT 'intervention' AS what, e.environment, o.submitted_at AS since
        FROM (VALUES ('live'), ('sandbox')) AS e (environment)
        LEFT JOIN LATERAL (SELECT submitted_at FROM orders
          WHERE environment = e.environment AND status = 'InterventionRequired' AND amount >= 0
          ORDER BY submitted_at LIMIT ${MOST}) AS o ON true
        UNION ALL
        SELECT 'parked', e.environment, p.since FROM (VALUES ('live'), ('sandbox')) AS e (environment)
        LEFT JOIN (SELECT o.environment, coalesce(p.since, o.completed_at, o.submitted_at) AS since
          FROM (SELECT order_id, NULL AS since FROM sagas WHERE ${IS_PARKED.saga} UNION ALL
            SELECT order_id, parked_at FROM order_tasks WHERE ${IS_PARKED.task} LIMIT ${MOST}) AS p
          JOIN orders o ON o.id = p.order_id WHERE o.status <> 'InterventionRequired') AS p USING (environment)
        UNION ALL
        SELECT 'return-request', e.environment, r.requested_at FROM (VALUES ('live'), ('sandbox')) AS e (environment)
        LEFT JOIN (SELECT r.requested_at, o.environment
          FROM (SELECT requested_at, order_id FROM return_requests WHERE status = 'Pending' ORDER BY requested_at LIMIT ${MOST}) AS r
          JOIN orders o ON o.id = r.order_id) AS r USING (environment)
      ) AS waiting GROUP BY what, environment`,
  },
  labels: ['what', 'environment'],
  gauges: [
    {
      name: 'operator_decisions_waiting',
      help: `Orders (intervention: InterventionRequired; parked: of another status, of which a step or a decision failed for good) and return requests (Pending) that wait for an operator, up to ${MOST}. Every instance shows the same: take max().`,
      column: 'waiting',
    },
    {
      name: 'operator_decision_oldest_seconds',
      help: 'How long ago the oldest of them was submitted. Every instance shows the same: take max().',
      column: 'seconds',
    },
  ],
  keepMs: 15_000,
};

/** What orders-saga shows of what waits in its database. */
export const ORDER_BACKLOGS: readonly BacklogReading[] = [
  STEP_AGES,
  OVERDUE,
  LANES_DUE,
  TASKS,
  FOR_OPERATORS,
];
