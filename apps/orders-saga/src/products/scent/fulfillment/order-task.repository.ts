import {
  query,
  queryWithoutEvents,
  withTransaction,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import type { Pool } from 'pg';
import type { PrismaClient } from '../../../generated/prisma/client';
import type { FailureCount } from '../../../saga/domain/failure';
import type { OrderTask, TaskLease } from './domain/order-task';
import { LockedOrder } from './locked-order';
import { TASK_COLUMNS } from './locked-order.sql';

// A task that is claimed by its id is wanted by an operator, who thereby gives a parked one all its tries again.
const UNPARK = `parked_at = NULL, failures = CASE WHEN parked_at IS NULL THEN failures ELSE 0 END,
  failing_since = CASE WHEN parked_at IS NULL THEN failing_since END`;
const LEASE = `lease_owner = $2, lease_until = clock_timestamp() + $3 * interval '1 millisecond'`;
const FREE = `state = 'Open' AND (lease_until IS NULL OR lease_until <= clock_timestamp())`;

// Raw: a task is claimed in the statement that finds it free, by the database's clock.
const CLAIM: PreparedStatement = {
  name: 'order_task_claim',
  text: `UPDATE order_tasks SET ${LEASE}, ${UNPARK} WHERE id = $1 AND ${FREE} RETURNING ${TASK_COLUMNS}`,
};

// Raw: each due task by one claimer only.
const CLAIM_DUE: PreparedStatement = {
  name: 'order_task_claim_due',
  text: `UPDATE order_tasks SET ${LEASE}
    FROM (SELECT id AS due FROM order_tasks WHERE ${FREE} AND parked_at IS NULL AND next_at <= clock_timestamp()
      ORDER BY next_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED) AS claimed
    WHERE id = claimed.due RETURNING ${TASK_COLUMNS}`,
};

// By the end of the lease too: the same owner may have taken the task again since.
const IS_MINE = `id = $1 AND lease_owner = $2 AND lease_until::text = $3`;

// Raw: a lease ends in the statement that finds it still its owner's, by the database's clock.
const POSTPONE: PreparedStatement = {
  name: 'order_task_postpone',
  text: `UPDATE order_tasks SET lease_owner = NULL, lease_until = NULL, attempts = attempts + 1,
      next_at = clock_timestamp() + $4 * interval '1 millisecond',
      failures = CASE WHEN $5 THEN failures ELSE 0 END, failure_code = CASE WHEN $5 THEN failure_code END,
      failing_since = CASE WHEN $5 THEN failing_since END
    WHERE ${IS_MINE}`,
};

// Raw: counted by the database's clock, while the task is its owner's.
const NOTE_FAILURE: PreparedStatement = {
  name: 'order_task_note_failure',
  text: `UPDATE order_tasks SET failures = failures + 1, failure_code = $4, failing_since = coalesce(failing_since, clock_timestamp())
    WHERE ${IS_MINE} AND state = 'Open'
    RETURNING failures, (extract(epoch FROM clock_timestamp() - failing_since) * 1000)::float8 AS "failingForMs"`,
};

// Raw: by the database's clock, while the task is its owner's.
const PARK: PreparedStatement = {
  name: 'order_task_park',
  text: `UPDATE order_tasks SET lease_owner = NULL, lease_until = NULL, attempts = attempts + 1, parked_at = clock_timestamp()
    WHERE ${IS_MINE} AND state = 'Open'`,
};

/** Tasks and the orders they are about. */
export class OrderTaskRepository {
  constructor(
    private readonly pool: Pool,
    private readonly prisma: PrismaClient,
    private readonly lease: TaskLease,
  ) {}

  /** Runs in one transaction under the order's lock; undefined for an order that is no scent order or not priced yet. */
  withLockedOrder<T>(orderId: string, work: (locked: LockedOrder) => Promise<T>): Promise<T | undefined> {
    return withTransaction(this.pool, async (tx) => {
      const locked = await LockedOrder.take(tx, orderId, this.lease);
      return locked && work(locked);
    });
  }

  /** The same in a transaction that is under way. */
  within(tx: Queryable): Pick<OrderTaskRepository, 'withLockedOrder'> {
    return {
      withLockedOrder: async (orderId, work) => {
        const locked = await LockedOrder.take(tx, orderId, this.lease);
        return locked && work(locked);
      },
    };
  }

  /** The order that a group is part of; the id is a UUID. */
  async findOrderOfGroup(groupId: string): Promise<string | undefined> {
    const group = await this.prisma.fulfillmentGroup.findUnique({ where: { id: groupId } });
    return group?.orderId;
  }

  /** Takes an open task that nobody carries out now, due or not. */
  async claim(taskId: string): Promise<OrderTask | undefined> {
    const { owner, ms } = this.lease;
    return (await query<OrderTask>(this.pool, CLAIM, [taskId, owner, ms]))[0];
  }

  /** Takes up to `limit` tasks that are due, skipping those that others are taking. */
  claimDue(limit: number): Promise<OrderTask[]> {
    return queryWithoutEvents<OrderTask>(this.pool, CLAIM_DUE, [limit, this.lease.owner, this.lease.ms]);
  }

  /** Lets a task go; anyone carries it on after `ms`. Failures are counted anew unless this was one. */
  async postpone(task: OrderTask, ms: number, isFailing: boolean): Promise<void> {
    await query(this.pool, POSTPONE, [...this.mine(task), ms, isFailing]);
  }

  /** Counts a failure; undefined when another one has taken the task. */
  async noteFailure(task: OrderTask, code: string): Promise<FailureCount | undefined> {
    return (await query<FailureCount>(this.pool, NOTE_FAILURE, [...this.mine(task), code]))[0];
  }

  /** Tries a task no more until an operator decides the same again. */
  async park(task: OrderTask): Promise<void> {
    await query(this.pool, PARK, this.mine(task));
  }

  async isDone(taskId: string): Promise<boolean> {
    return (await this.prisma.orderTask.count({ where: { id: taskId, state: 'Done' } })) > 0;
  }

  private mine({ id, leaseUntil }: OrderTask): unknown[] {
    return [id, this.lease.owner, leaseUntil];
  }
}
