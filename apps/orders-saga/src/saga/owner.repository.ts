import {
  createSessionPool,
  query,
  queryWithoutEvents,
  type DatabaseAddress,
  type PreparedStatement,
  type SessionPool,
} from '@reseller/database';
import type { Logger } from '@reseller/service-kit';
import type { Pool, PoolClient } from 'pg';

/** A session that says, by its lock, that its owner lives. */
export interface LivenessSession {
  /** False when the owner was not on record: it is new, or it was taken for gone. */
  readonly wasKnown: boolean;
  /** Ends the session, and the lock with it. */
  end(): void;
}

// Raw: advisory locks are the database's word on who lives. One key for each owner, whoever takes or tries its lock.
const lockOf = (owner: string): string => `hashtextextended('saga_owner ' || ${owner}, 0)`;

// Raw: a lease is prolonged in the statement that finds its epoch unchanged. It waits for no lock: for one saga that somebody holds
// for long, such as a process that stands still, all others would lapse.
const RENEW: PreparedStatement = {
  name: 'saga_renew',
  text: `WITH mine AS MATERIALIZED (
      SELECT s.order_id AS id FROM sagas s JOIN unnest($1::uuid[], $2::bigint[]) AS m (order_id, epoch)
        ON s.order_id = m.order_id AND s.lease_epoch = m.epoch
      WHERE s.lease_until IS NOT NULL FOR NO KEY UPDATE OF s SKIP LOCKED
    ), renewed AS (
      UPDATE sagas SET lease_until = clock_timestamp() + $3 * interval '1 millisecond',
        wake_at = clock_timestamp() + $3 * interval '1 millisecond'
      FROM mine WHERE order_id = mine.id RETURNING order_id
    )
    SELECT s.order_id AS "orderId", r.order_id IS NOT NULL AS "isRenewed"
    FROM sagas s JOIN unnest($1::uuid[], $2::bigint[]) AS m (order_id, epoch)
      ON s.order_id = m.order_id AND s.lease_epoch = m.epoch
    LEFT JOIN renewed r ON r.order_id = s.order_id
    WHERE s.lease_until IS NOT NULL`,
};

// Raw: the row goes in the statement that frees the leases, so an owner that was only cut off finds it missing and knows.
const FREE_LEASES: PreparedStatement = {
  name: 'saga_free_leases',
  text: `WITH gone AS (
      DELETE FROM saga_owners WHERE owner = $1 AND pg_try_advisory_xact_lock_shared(${lockOf('$1::text')}) RETURNING owner
    ), left_sagas AS MATERIALIZED (
      SELECT s.order_id AS id FROM sagas s JOIN gone ON s.lease_owner = gone.owner
      WHERE s.state = 'Active' AND s.lease_until > clock_timestamp() ORDER BY s.order_id FOR NO KEY UPDATE OF s
    ), left_tasks AS MATERIALIZED (
      SELECT t.id FROM order_tasks t JOIN gone ON t.lease_owner = gone.owner
      WHERE t.state = 'Open' ORDER BY t.id FOR NO KEY UPDATE OF t
    ), freed AS (
      UPDATE sagas SET lease_until = clock_timestamp(), wake_at = clock_timestamp()
      FROM left_sagas WHERE order_id = left_sagas.id RETURNING 1
    ), tasks AS (
      UPDATE order_tasks SET lease_owner = NULL, lease_until = NULL, next_at = clock_timestamp()
      FROM left_tasks WHERE order_tasks.id = left_tasks.id RETURNING 1
    )
    SELECT (SELECT count(*) FROM freed)::integer + (SELECT count(*) FROM tasks)::integer AS freed`,
};

/** Who drives sagas, and whether they still live, on the database's word. */
export class OwnerRepository {
  // Of its own, so that a busy pool never costs an instance its lock or its leases.
  private readonly sessions: SessionPool;

  constructor(
    private readonly pool: Pool,
    { leaseMs, log, ...address }: DatabaseAddress & { leaseMs: number; log: Logger },
  ) {
    // A connection that died without a word is given up after a quarter of a lease: half of it is left to be renewed in, over another.
    const statementTimeoutMs = Math.min(15_000, Math.max(1_000, Math.ceil(leaseMs / 6)));
    const settings = { ...address, statementTimeoutMs, max: 2, name: 'orders-saga-liveness', log };
    this.sessions = createSessionPool(settings);
  }

  /** Takes the owner's lock in a session of its own, then puts it on record; `onLost` when that session ends. */
  async register(owner: string, onLost: () => void): Promise<LivenessSession> {
    const client = await this.sessions.connect();
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      client.release(true);
    };
    const lose = (): void => {
      if (isOver) return;
      end();
      onLost();
    };
    client.on('error', lose);
    client.on('end', lose);
    try {
      return { wasKnown: !(await enter(client, owner)), end };
    } catch (error) {
      end();
      throw error;
    }
  }

  /** The other owners; one is absent when its lock is free, also while it has just lost its connection. */
  findOthers(self: string): Promise<{ owner: string; isAbsent: boolean }[]> {
    // Raw: advisory locks, which Prisma does not know.
    return queryWithoutEvents(
      this.pool,
      {
        name: 'saga_owners_others',
        text: `SELECT owner, pg_try_advisory_xact_lock_shared(${lockOf('owner')}) AS "isAbsent"
          FROM saga_owners WHERE owner <> $1`,
      },
      [self],
    );
  }

  /** Makes the orders and tasks of an owner that is gone due now; returns how many, 0 while it lives. */
  async freeLeases(owner: string): Promise<number> {
    const [row] = await query<{ freed: number }>(this.pool, FREE_LEASES, [owner]);
    return row?.freed ?? 0;
  }

  /** Prolongs leases that are still of these epochs; returns their orders, and of each whether it is, or somebody holds its saga now. */
  async renewLeases(
    leases: readonly { orderId: string; epoch: string }[],
    leaseMs: number,
  ): Promise<Map<string, boolean>> {
    const ids = leases.map(({ orderId }) => orderId);
    const epochs = leases.map(({ epoch }) => epoch);
    const values = [ids, epochs, leaseMs];
    const rows = await query<{ orderId: string; isRenewed: boolean }>(this.sessions, RENEW, values);
    return new Map(rows.map(({ orderId, isRenewed }) => [orderId, isRenewed]));
  }

  /** Takes an owner off the record, once it drives nothing any more. */
  async leave(owner: string): Promise<void> {
    // Raw: over the pool that the other statements of owners use.
    await query(this.pool, { name: 'saga_owner_leave', text: 'DELETE FROM saga_owners WHERE owner = $1' }, [
      owner,
    ]);
  }

  close(): Promise<void> {
    return this.sessions.end();
  }
}

// The lock before the row: a row without a lock is a process that is gone.
async function enter(client: PoolClient, owner: string): Promise<boolean> {
  // Raw: as above; both in the session that holds the lock.
  await client.query(`SELECT pg_advisory_lock(${lockOf('$1::text')})`, [owner]);
  const { rowCount } = await client.query(
    'INSERT INTO saga_owners (owner) VALUES ($1) ON CONFLICT DO NOTHING',
    [owner],
  );
  return rowCount === 1;
}
