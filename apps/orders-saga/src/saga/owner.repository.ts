import { createPool, query, type PreparedStatement } from '@reseller/database';
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

// Raw: the row goes in the statement that frees the leases, so an owner that was only cut off finds it missing and knows.
const FREE_LEASES: PreparedStatement = {
  name: 'saga_free_leases',
  text: `WITH gone AS (
      DELETE FROM saga_owners WHERE owner = $1 AND pg_try_advisory_xact_lock_shared(${lockOf('$1::text')}) RETURNING owner
    ), freed AS (
      UPDATE sagas SET lease_until = clock_timestamp(), wake_at = clock_timestamp()
      FROM gone WHERE sagas.state = 'Active' AND sagas.lease_owner = gone.owner AND sagas.lease_until > clock_timestamp()
      RETURNING 1
    ), tasks AS (
      UPDATE order_tasks SET lease_owner = NULL, lease_until = NULL, next_at = clock_timestamp()
      FROM gone WHERE order_tasks.state = 'Open' AND order_tasks.lease_owner = gone.owner
      RETURNING 1
    )
    SELECT (SELECT count(*) FROM freed)::integer + (SELECT count(*) FROM tasks)::integer AS freed`,
};

/** Who drives sagas, and whether they still live, on the database's word. */
export class OwnerRepository {
  // Of its own, so that a busy pool never costs an instance its lock.
  private readonly sessions: Pool;

  constructor(
    private readonly pool: Pool,
    { connectionString, log }: { connectionString: string; log: Logger },
  ) {
    this.sessions = createPool({ connectionString, max: 1, name: 'orders-saga-liveness', log });
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

  /** The other owners whose lock is free; one that has just lost its connection is among them until it is back. */
  async findAbsent(self: string): Promise<string[]> {
    const rows = await query<{ owner: string }>(
      this.pool,
      {
        name: 'saga_owners_absent',
        text: `SELECT owner FROM saga_owners
          WHERE owner <> $1 AND pg_try_advisory_xact_lock_shared(${lockOf('owner')})`,
      },
      [self],
    );
    return rows.map(({ owner }) => owner);
  }

  /** Makes the orders and tasks of an owner that is gone due now; returns how many, 0 while it lives. */
  async freeLeases(owner: string): Promise<number> {
    const [row] = await query<{ freed: number }>(this.pool, FREE_LEASES, [owner]);
    return row?.freed ?? 0;
  }

  /** Takes an owner off the record, once it drives nothing any more. */
  async leave(owner: string): Promise<void> {
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
  await client.query(`SELECT pg_advisory_lock(${lockOf('$1::text')})`, [owner]);
  const { rowCount } = await client.query(
    'INSERT INTO saga_owners (owner) VALUES ($1) ON CONFLICT DO NOTHING',
    [owner],
  );
  return rowCount === 1;
}
