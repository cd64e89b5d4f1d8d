import {
  query,
  queryWithoutEvents,
  withTransaction,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import type { Headers } from '@reseller/telemetry';
import type { Pool } from 'pg';
import type { OrderStatus } from '../order/domain/order';
import type { FailureCount } from './domain/failure';
import { canBeDecided, DECISIONS, type DecisionEntry } from './domain/journal';
import { ANY_ACTIVE, CLAIM_DUE, GRANT, GRANTED, MOVE_TO_LANE } from './claim.sql';

/** A lease just granted. */
export interface Grant {
  readonly orderId: string;
  readonly epoch: string;
  readonly attempts: number;
  /** Whether the event that the order is Processing is on record. */
  readonly isProcessingEmitted: boolean;
  /** Of the request that made the order; null for one of an earlier version. */
  readonly origin: Headers | null;
}

/** How many more orders of a lane a claim may take. */
export interface FreeSlots {
  readonly lane: string;
  readonly slots: number;
}

/** An order that was due, with the lane in which it waited. */
export interface DueGrant extends Grant {
  readonly lane: string;
}

// Raw: whether a lease has lapsed is decided by the database's clock.
const LEASE_STATUS: PreparedStatement = {
  name: 'saga_lease_status',
  text: `SELECT state = 'Active' AND coalesce(lease_until <= clock_timestamp(), false) AS "hasLapsed",
      state = 'Active' AND lease_until IS NULL AS "isWaiting"
    FROM sagas WHERE order_id = $1`,
};

// Raw: the saga is locked before anything is decided by its order, and everything that changes the order holds this lock.
const LOCK: PreparedStatement = { name: 'saga_lock', text: `${LEASE_STATUS.text} FOR NO KEY UPDATE` };

// Raw: granted by the database's clock, with the next epoch. Who decides gives the step all its tries again.
const GRANT_TO_OPERATOR: PreparedStatement = {
  name: 'saga_grant_to_operator',
  text: `${GRANT}, failing_step = NULL, failing_since = NULL, failures = 0 WHERE order_id = $1 RETURNING ${GRANTED}`,
};

// Raw: counted under the lease's fence, by the database's clock, so that a crash does not begin the count anew.
const NOTE_FAILURE: PreparedStatement = {
  name: 'saga_note_failure',
  text: `UPDATE sagas SET failing_step = $3, failures = CASE WHEN failing_step = $3 THEN failures + 1 ELSE 1 END,
      failing_since = CASE WHEN failing_step = $3 THEN failing_since ELSE clock_timestamp() END
    WHERE order_id = $1 AND lease_epoch = $2 AND state = 'Active'
    RETURNING failures, (extract(epoch FROM clock_timestamp() - failing_since) * 1000)::float8 AS "failingForMs"`,
};

// Raw: under the lease's fence, and only where there is something to forget.
const FORGET_FAILURES: PreparedStatement = {
  name: 'saga_forget_failures',
  text: `UPDATE sagas SET failing_step = NULL, failing_since = NULL, failures = 0
    WHERE order_id = $1 AND lease_epoch = $2 AND state = 'Active' AND failures > 0`,
};

// Raw: granted by the database's clock, with the next epoch.
const GRANT_LOCKED: PreparedStatement = {
  name: 'saga_grant',
  text: `${GRANT} WHERE order_id = $1 RETURNING ${GRANTED}`,
};

// Raw: read in the transaction that holds the lock.
const STATUS: PreparedStatement = {
  name: 'saga_order_status',
  text: 'SELECT status FROM orders WHERE id = $1',
};

// Raw: read in the transaction that holds the lock.
const DECISION_ENTRIES: PreparedStatement = {
  name: 'saga_decision_entries',
  text: 'SELECT step, attempt, phase, outcome FROM saga_steps WHERE order_id = $1 AND step = ANY ($2)',
};

// Raw: only while nobody drives the order, decided in the statement that wakes it.
const WAKE: PreparedStatement = {
  name: 'saga_wake',
  text: `UPDATE sagas s SET wake_at = now() FROM orders o
    WHERE s.order_id = $1 AND o.id = s.order_id AND o.vendor_name = $2 AND o.status = 'Processing'
      AND s.state = 'Active' AND s.lease_until IS NULL AND s.wake_at > now()
    RETURNING s.order_id`,
};

/** Whose a lease is to be, and for how long. */
export interface Lessee {
  readonly owner: string;
  readonly leaseMs: number;
}

interface LeaseStatus {
  readonly hasLapsed: boolean;
  readonly isWaiting: boolean;
}

/** Who carries an order on; every grant has a higher epoch than those before it. */
export class LeaseRepository {
  constructor(protected readonly pool: Pool) {}

  /** Whether any saga is under way, due or not. */
  async isAnyActive(): Promise<boolean> {
    return (await queryWithoutEvents(this.pool, ANY_ACTIVE)).length > 0;
  }

  /**
   * Claims sagas that are due, of each lane as many as it has free slots, `otherSlots` of a lane that is not named; skips
   * those that others are claiming.
   */
  claimDue(
    free: readonly FreeSlots[],
    otherSlots: number,
    owner: string,
    leaseMs: number,
  ): Promise<DueGrant[]> {
    const [lanes, slots] = [free.map((each) => each.lane), free.map((each) => each.slots)];
    return queryWithoutEvents<DueGrant>(this.pool, CLAIM_DUE, [otherSlots, owner, leaseMs, lanes, slots]);
  }

  /** Gives a lease back that was only used to look: the order is due at once, in its own lane. */
  async moveToLane({ orderId, epoch }: Grant, lane: string): Promise<void> {
    await query(this.pool, MOVE_TO_LANE, [orderId, epoch, lane]);
  }

  /**
   * Takes over one saga whose lease lapsed, or which waits for a service while its order is Pending; else undefined. A
   * Processing order that waits for its poll is left to the poller.
   */
  async takeLapsed(orderId: string, owner: string, leaseMs: number): Promise<Grant | undefined> {
    // Unlocked first: repetitions look again and again, and must not hold up whoever drives the order.
    const [seen] = await query<LeaseStatus>(this.pool, LEASE_STATUS, [orderId]);
    if (!seen?.hasLapsed && !seen?.isWaiting) return undefined;
    return withTransaction(this.pool, async (tx) => {
      const [saga] = await query<LeaseStatus>(tx, LOCK, [orderId]);
      const isFree = saga?.hasLapsed || (saga?.isWaiting && (await statusOf(tx, orderId)) === 'Pending');
      return isFree ? grant(tx, GRANT_LOCKED, orderId, owner, leaseMs) : undefined;
    });
  }

  /**
   * Does some work in a transaction that keeps every decision of the order waiting; undefined when it has another status by now, or
   * a decision of it is under way.
   */
  whileUndecided<T>(
    order: { id: string; status: OrderStatus },
    work: (tx: Queryable) => Promise<T>,
  ): Promise<T | undefined> {
    return withTransaction(this.pool, async (tx) =>
      (await lockUndecided(tx, order)) ? work(tx) : undefined,
    );
  }

  /** Takes an order, in the transaction that keeps others waiting, from whoever has it. */
  protected takeForOperator(
    tx: Queryable,
    orderId: string,
    { owner, leaseMs }: Lessee,
  ): Promise<Grant | undefined> {
    return grant(tx, GRANT_TO_OPERATOR, orderId, owner, leaseMs);
  }

  /** Counts a failure of a step in a row with those before it; undefined when the lease was lost. */
  async noteFailure({ orderId, epoch }: Grant, step: string): Promise<FailureCount | undefined> {
    return (await query<FailureCount>(this.pool, NOTE_FAILURE, [orderId, epoch, step]))[0];
  }

  /** Begins the count of failures in a row anew: in between the step's service was only away. */
  async forgetFailures({ orderId, epoch }: Grant): Promise<void> {
    await query(this.pool, FORGET_FAILURES, [orderId, epoch]);
  }

  /** Makes an order due that waits for this vendor's next poll; false when there is none that waits so. */
  async wake(orderId: string, vendor: string): Promise<boolean> {
    return (await query(this.pool, WAKE, [orderId, vendor])).length > 0;
  }
}

async function lockUndecided(
  tx: Queryable,
  { id, status }: { id: string; status: OrderStatus },
): Promise<boolean> {
  await query(tx, LOCK, [id]);
  if ((await statusOf(tx, id)) !== status) return false;
  return canBeDecided(await query<DecisionEntry>(tx, DECISION_ENTRIES, [id, DECISIONS]));
}

async function statusOf(tx: Queryable, orderId: string): Promise<string | undefined> {
  const [order] = await query<{ status: string }>(tx, STATUS, [orderId]);
  return order?.status;
}

async function grant(
  tx: Queryable,
  statement: PreparedStatement,
  orderId: string,
  owner: string,
  leaseMs: number,
): Promise<Grant | undefined> {
  const [granted] = await query<Grant>(tx, statement, [orderId, owner, leaseMs]);
  return granted;
}
