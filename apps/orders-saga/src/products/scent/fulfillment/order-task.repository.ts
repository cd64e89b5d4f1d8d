import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import type { OrderTask, TaskLease } from './domain/order-task';
import { HeldOrder, TASK_COLUMNS } from './held-order';

const LEASE = `lease_owner = $2, lease_until = clock_timestamp() + $3 * interval '1 millisecond'`;
const FREE = `state = 'Open' AND (lease_until IS NULL OR lease_until <= clock_timestamp())`;

const CLAIM: PreparedStatement = {
  name: 'order_task_claim',
  text: `UPDATE order_tasks SET ${LEASE} WHERE id = $1 AND ${FREE} RETURNING ${TASK_COLUMNS}`,
};

const CLAIM_DUE: PreparedStatement = {
  name: 'order_task_claim_due',
  text: `UPDATE order_tasks SET ${LEASE}
    FROM (SELECT id AS due FROM order_tasks WHERE ${FREE} AND next_at <= clock_timestamp()
      ORDER BY next_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) AS claimed
    WHERE id = claimed.due RETURNING ${TASK_COLUMNS}`,
};

const POSTPONE: PreparedStatement = {
  name: 'order_task_postpone',
  text: `UPDATE order_tasks SET lease_owner = NULL, lease_until = NULL, attempts = attempts + 1,
      next_at = clock_timestamp() + $3 * interval '1 millisecond'
    WHERE id = $1 AND lease_owner = $2`,
};

const IS_DONE: PreparedStatement = {
  name: 'order_task_is_done',
  text: `SELECT FROM order_tasks WHERE id = $1 AND state = 'Done'`,
};

const ORDER_OF_GROUP: PreparedStatement = {
  name: 'fulfillment_order_of_group',
  text: 'SELECT order_id AS "orderId" FROM fulfillment_groups WHERE id = $1',
};

/** Tasks and the orders they are about. */
export class OrderTaskRepository {
  constructor(
    private readonly pool: Pool,
    private readonly lease: TaskLease,
  ) {}

  /** Runs in one transaction under the order's lock; undefined for an order that is no scent order or not priced yet. */
  hold<T>(orderId: string, work: (held: HeldOrder) => Promise<T>): Promise<T | undefined> {
    return withTransaction(this.pool, async (tx) => {
      const held = await HeldOrder.take(tx, orderId, this.lease);
      return held && work(held);
    });
  }

  /** The order that a group is part of; the id is a UUID. */
  async findOrderOfGroup(groupId: string): Promise<string | undefined> {
    const [row] = await query<{ orderId: string }>(this.pool, ORDER_OF_GROUP, [groupId]);
    return row?.orderId;
  }

  /** Takes an open task that nobody carries out now, due or not. */
  async claim(taskId: string): Promise<OrderTask | undefined> {
    const { owner, ms } = this.lease;
    return (await query<OrderTask>(this.pool, CLAIM, [taskId, owner, ms]))[0];
  }

  /** Takes up to `limit` tasks that are due, skipping those that others are taking. */
  claimDue(limit: number): Promise<OrderTask[]> {
    return query<OrderTask>(this.pool, CLAIM_DUE, [limit, this.lease.owner, this.lease.ms]);
  }

  /** Lets a task go; anyone carries it on after `ms`. */
  async postpone(taskId: string, ms: number): Promise<void> {
    await query(this.pool, POSTPONE, [taskId, this.lease.owner, ms]);
  }

  async isDone(taskId: string): Promise<boolean> {
    return (await query(this.pool, IS_DONE, [taskId])).length > 0;
  }
}
