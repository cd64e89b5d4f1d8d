import { isCheckViolation, query, type PreparedStatement, type Queryable } from '@reseller/database';
import { AppError, type JsonValue } from '@reseller/errors';
import { currentHeaders } from '@reseller/telemetry';
import { v7 as uuid } from 'uuid';
import type { Order, OrderStatus } from '../../../order/domain/order';
import type { OrderEvent } from '../../../order/order-events';
import { ORDER_COLUMNS, toOrder, type OrderRow } from '../../../order/order-row';
import type { AskedReturn } from '../returns/domain/return-request';
import type { EntryOutcome } from '../../../saga/domain/journal';
import type { GroupStatus, ScentDetails } from '../domain/scent-order';
import { readDetails } from '../scent-order.repository';
import type { FulfillmentEntry, OrderTask, TaskKind, TaskLease } from './domain/order-task';

/** The columns of order_tasks under the names of OrderTask. */
export const TASK_COLUMNS = `id, order_id AS "orderId", kind, subject_id AS "subjectId", operator,
  journal_attempt AS "journalAttempt", state, attempts, origin`;

const HOLD: PreparedStatement = {
  name: 'fulfillment_hold',
  text: `SELECT ${ORDER_COLUMNS} FROM orders WHERE id = $1 AND product = 'Scent' FOR NO KEY UPDATE`,
};

const MOVE_ORDER: PreparedStatement = {
  name: 'fulfillment_move_order',
  text: `UPDATE orders SET status = $2, completed_at = CASE WHEN $2 IN ('Completed', 'Cancelled')
      THEN coalesce(completed_at, clock_timestamp()) ELSE completed_at END
    WHERE id = $1 RETURNING ${ORDER_COLUMNS}`,
};

const MOVE_GROUP: PreparedStatement = {
  name: 'fulfillment_move_group',
  text: `UPDATE fulfillment_groups SET status = $2,
      shipped_at = CASE WHEN $2 = 'Shipped' THEN clock_timestamp() ELSE shipped_at END,
      delivered_at = CASE WHEN $2 = 'Delivered' THEN clock_timestamp() END,
      cancelled_at = CASE WHEN $2 = 'Cancelled' THEN clock_timestamp() END
    WHERE id = $1`,
};

const NOTE: PreparedStatement = {
  name: 'fulfillment_note',
  text: `INSERT INTO saga_steps (order_id, step, attempt, phase, outcome, details)
    VALUES ($1, $2, coalesce($3, (SELECT count(*) FROM saga_steps s
      WHERE s.order_id = $1 AND s.step = $2 AND s.phase = $4)), $4, $5, $6)
    RETURNING attempt`,
};

const FIND_TASK: PreparedStatement = {
  name: 'fulfillment_find_task',
  text: `SELECT ${TASK_COLUMNS} FROM order_tasks WHERE kind = $1 AND subject_id = $2`,
};

const SET_TASK: PreparedStatement = {
  name: 'fulfillment_set_task',
  text: `INSERT INTO order_tasks (id, order_id, kind, subject_id, operator, journal_attempt, lease_owner, lease_until, origin)
    VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + $8 * interval '1 millisecond', $9) RETURNING ${TASK_COLUMNS}`,
};

const CLOSE_TASK: PreparedStatement = {
  name: 'fulfillment_close_task',
  text: `UPDATE order_tasks SET state = 'Done', lease_owner = NULL, lease_until = NULL
    WHERE id = $1 AND state = 'Open' RETURNING id`,
};

const WITHIN: PreparedStatement = {
  name: 'fulfillment_within',
  text: `SELECT FROM fulfillment_groups
    WHERE id = $1 AND clock_timestamp() <= delivered_at + $2 * interval '1 millisecond'`,
};

// More than were bought is as good as one too many, and keeps the sum a number.
const CLAIM: PreparedStatement = {
  name: 'fulfillment_claim',
  text: `UPDATE scent_order_lines l SET claimed_quantity = claimed_quantity + least(a.quantity, l.quantity + 1)
    FROM unnest($1::uuid[], $2::int[]) AS a (id, quantity) WHERE l.id = a.id`,
};

const ASK_RETURN: PreparedStatement = {
  name: 'fulfillment_ask_return',
  text: `WITH asked AS (
      INSERT INTO return_requests (id, order_id, group_id) VALUES ($1, $2, $3) RETURNING id
    )
    INSERT INTO return_request_lines (id, request_id, position, order_line_id, quantity, reason)
    SELECT l.id, asked.id, l.position, l.order_line_id, l.quantity, l.reason FROM asked,
      jsonb_to_recordset($4) AS l (id uuid, position int, order_line_id uuid, quantity int, reason text)`,
};

// What was claimed becomes what came back, or is free again.
const DECIDE_RETURN: PreparedStatement = {
  name: 'fulfillment_decide_return',
  text: `WITH decided AS (
      UPDATE return_requests SET status = $2, decided_at = clock_timestamp(), decided_by_user_id = $3, decline_reason = $4
      WHERE id = $1 AND status = 'Pending' RETURNING id
    )
    UPDATE scent_order_lines o SET claimed_quantity = o.claimed_quantity - r.quantity,
      returned_quantity = o.returned_quantity + CASE WHEN $2 = 'Approved' THEN r.quantity ELSE 0 END
    FROM decided, return_request_lines r WHERE r.request_id = decided.id AND o.id = r.order_line_id`,
};

const EMIT: PreparedStatement = {
  name: 'fulfillment_emit',
  text: 'SELECT outbox_append($1, $2, $3, $4, $5)',
};

/** A paid scent order under its row's lock: what is read is what stands, and all that is written stands together. */
export class HeldOrder {
  private constructor(
    /** The transaction. */
    readonly db: Queryable,
    public order: Order,
    public scent: ScentDetails,
    private readonly lease: TaskLease,
  ) {}

  /** Locks the order; undefined for one that is no scent order or not priced yet. */
  static async take(db: Queryable, orderId: string, lease: TaskLease): Promise<HeldOrder | undefined> {
    const [row] = await query<OrderRow>(db, HOLD, [orderId]);
    const scent = row && (await readDetails(db, [orderId])).get(orderId);
    return row && scent && new HeldOrder(db, toOrder(row), scent, lease);
  }

  /** Moves the order; one that ends for the first time gets its completedAt. */
  async moveTo(status: OrderStatus): Promise<void> {
    const [row] = await query<OrderRow>(this.db, MOVE_ORDER, [this.order.id, status]);
    if (row) this.order = toOrder(row);
  }

  /** Moves a group, by the database's clock. */
  async moveGroup(groupId: string, status: GroupStatus): Promise<void> {
    await query(this.db, MOVE_GROUP, [groupId, status]);
    await this.reread();
  }

  /** Writes into the timeline; without an attempt it is the next one of its step. Answers the attempt. */
  async note(
    step: FulfillmentEntry,
    details: Readonly<Record<string, JsonValue>>,
    { phase, outcome, attempt }: { phase: 'intent' | 'result'; outcome?: EntryOutcome; attempt?: number },
  ): Promise<number> {
    const values = [this.order.id, step, attempt, phase, outcome, JSON.stringify(details)];
    const [row] = await query<{ attempt: number }>(this.db, NOTE, values);
    return row?.attempt ?? 0;
  }

  /** The task on a group or return request, open or done. */
  async findTask(kind: TaskKind, subjectId: string): Promise<OrderTask | undefined> {
    const [task] = await query<OrderTask>(this.db, FIND_TASK, [kind, subjectId]);
    return task;
  }

  /** Sets a task, once for each subject, with its intent in the timeline; its setter has the lease. */
  async setTask(
    kind: TaskKind,
    subjectId: string,
    { operator, notes }: { operator: string; notes?: string | undefined },
  ): Promise<OrderTask> {
    const noted = { operator, subjectId, ...(notes !== undefined && { notes }) };
    const attempt = await this.note(`operator.${kind}`, noted, { phase: 'intent' });
    const { owner, ms } = this.lease;
    const origin = JSON.stringify(currentHeaders());
    const values = [uuid(), this.order.id, kind, subjectId, operator, attempt, owner, ms, origin];
    const [task] = await query<OrderTask>(this.db, SET_TASK, values);
    if (!task) throw new Error('a task was not recorded');
    return task;
  }

  /** Ends a task with its result in the timeline; false when another one has ended it. */
  async closeTask(task: OrderTask, details: Readonly<Record<string, JsonValue>>): Promise<boolean> {
    if ((await query(this.db, CLOSE_TASK, [task.id])).length === 0) return false;
    const { kind, subjectId, operator, journalAttempt: attempt } = task;
    const noted = { operator, subjectId, ...details };
    await this.note(`operator.${kind}`, noted, { phase: 'result', outcome: 'Done', attempt });
    return true;
  }

  /** Whether a group was delivered no longer ago than this, by the database's clock. */
  async wasDeliveredWithin(groupId: string, ms: number): Promise<boolean> {
    return (await query(this.db, WITHIN, [groupId, ms])).length > 0;
  }

  /** Claims units and makes the request that holds them; BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED when fewer are left. */
  async askReturn(groupId: string, lines: readonly AskedReturn[]): Promise<string> {
    const ids = lines.map(({ orderLineId }) => orderLineId);
    try {
      await query(this.db, CLAIM, [ids, lines.map(({ quantity }) => quantity)]);
    } catch (error) {
      if (!isCheckViolation(error, 'scent_order_lines_returns')) throw error;
      throw new AppError('BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED');
    }
    const id = uuid();
    const rows = lines.map(({ orderLineId, quantity, reason }, position) => ({
      id: uuid(),
      position,
      order_line_id: orderLineId,
      quantity,
      reason,
    }));
    await query(this.db, ASK_RETURN, [id, this.order.id, groupId, JSON.stringify(rows)]);
    return id;
  }

  /** Decides a Pending request; its units are returned or free again. */
  async decideReturn(
    requestId: string,
    decision: { status: 'Approved' | 'Declined'; byUserId: string; reason?: string },
  ): Promise<void> {
    await query(this.db, DECIDE_RETURN, [requestId, decision.status, decision.byUserId, decision.reason]);
    await this.reread();
  }

  /** Sends an event when the transaction stands. */
  async emit({ topic, type, payload }: OrderEvent): Promise<void> {
    const headers = JSON.stringify(currentHeaders());
    await query(this.db, EMIT, [topic, type, this.order.id, payload, headers]);
  }

  private async reread(): Promise<void> {
    this.scent = (await readDetails(this.db, [this.order.id])).get(this.order.id) ?? this.scent;
  }
}
