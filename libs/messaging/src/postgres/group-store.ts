import type { Pool } from 'pg';
import type { Claim, OwnedPartition, PartitionStore, StoredEvent } from '../partition-store';

const fence = `group_name = $1 AND lease_owner = $2 AND topic = $3 AND partition = $4 AND lease_epoch = $5`;

/** One member's statements against the bus's tables. */
export class GroupStore implements PartitionStore {
  constructor(
    private readonly pool: Pool,
    private readonly group: string,
    private readonly memberId: string,
  ) {}

  /** Sends a heartbeat and returns what the member owns, and its fair share of the group's partitions. */
  async heartbeat(
    topics: string[],
    partitions: number,
    leaseMs: number,
  ): Promise<{ owned: OwnedPartition[]; share: number }> {
    const { rows } = await this.pool.query<OwnedPartition & { share: number }>({
      name: 'event_bus_heartbeat',
      text: `SELECT topic, partition, epoch, share
             FROM event_bus.heartbeat($1, $2, $3, $4, make_interval(secs => $5::float8 / 1000))`,
      values: [this.group, this.memberId, topics, partitions, leaseMs],
    });
    return { owned: rows, share: rows[0]?.share ?? 0 };
  }

  /** The member's partitions that have events to handle. */
  async findPending(): Promise<{ topic: string; partition: number }[]> {
    const { rows } = await this.pool.query<{ topic: string; partition: number }>({
      name: 'event_bus_pending',
      text: `SELECT g.topic, g.partition FROM event_bus.group_partition AS g
             JOIN event_bus.topic_partition AS tp ON tp.topic = g.topic AND tp.partition = g.partition
             WHERE g.group_name = $1 AND g.lease_owner = $2 AND tp.next_offset > g.committed_offset`,
      values: [this.group, this.memberId],
    });
    return rows;
  }

  /** Counts an attempt at the partition's next events and reads them; undefined when there are none or the lease is lost. */
  async claim(of: OwnedPartition, batchSize: number): Promise<Claim | undefined> {
    const claimed = await this.pool.query<{ committed: string; attempts: number; careful: boolean }>({
      name: 'event_bus_claim',
      // After a failure, or the death of a process, the events it concerned come one by one until all are through.
      text: `UPDATE event_bus.group_partition
             SET attempts = attempts + 1, careful_until = CASE WHEN careful_until > committed_offset THEN careful_until
                                                                ELSE committed_offset + $6 END
             WHERE ${fence} AND lease_until > clock_timestamp() AND committed_offset < (
               SELECT next_offset FROM event_bus.topic_partition WHERE topic = $3 AND partition = $4)
             RETURNING committed_offset AS committed, attempts, old.careful_until > committed_offset AS careful`,
      values: [...this.fenceOf(of), batchSize],
    });
    const row = claimed.rows[0];
    if (!row) return undefined;
    const events = await this.pool.query<StoredEvent & { nextOffset: string }>({
      name: 'event_bus_read',
      text: `SELECT tp.next_offset AS "nextOffset", e."offset", e.event_id AS "eventId", tp.topic, e.type,
                    e.aggregate_id AS "aggregateId", e.aggregate_seq AS "aggregateSeq", e.occurred_at AS "occurredAt",
                    e.payload, e.headers
             FROM event_bus.topic_partition AS tp
             LEFT JOIN LATERAL (SELECT * FROM event_bus.event AS e
                                WHERE e.topic = tp.topic AND e.partition = tp.partition AND e."offset" >= $3
                                ORDER BY e."offset" LIMIT $4) AS e ON true
             WHERE tp.topic = $1 AND tp.partition = $2 ORDER BY e."offset"`,
      values: [of.topic, of.partition, row.committed, row.careful ? 1 : batchSize],
    });
    const nextOffset = events.rows[0]?.nextOffset ?? row.committed;
    const stored = events.rows.filter((event) => event.eventId !== null);
    return {
      attempts: row.attempts,
      careful: row.careful,
      nextOffset,
      events: stored.map(({ nextOffset: _, ...event }) => event),
    };
  }

  /** Moves the group on to an offset; false when the lease is lost. */
  async commit(of: OwnedPartition, offset: string, wasWholeBatch: boolean): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'event_bus_commit',
      text: `UPDATE event_bus.group_partition
             SET committed_offset = $6, attempts = 0, careful_until = CASE WHEN $7 THEN $6 ELSE careful_until END
             WHERE ${fence}`,
      values: [...this.fenceOf(of), offset, wasWholeBatch],
    });
    return rowCount === 1;
  }

  /** Takes back an attempt that failed for a reason outside of the events. */
  async forgetAttempt(of: OwnedPartition): Promise<void> {
    await this.pool.query(
      `UPDATE event_bus.group_partition SET attempts = greatest(attempts - 1, 0) WHERE ${fence}`,
      this.fenceOf(of),
    );
  }

  /** Gives partitions up, so that another member can take them at once. */
  async release(partitions: OwnedPartition[]): Promise<void> {
    for (const of of partitions) {
      await this.pool.query(
        `UPDATE event_bus.group_partition SET lease_owner = NULL, lease_until = '-infinity' WHERE ${fence}`,
        this.fenceOf(of),
      );
    }
  }

  /** Signs off. */
  async leave(): Promise<void> {
    await this.pool.query('DELETE FROM event_bus.group_member WHERE group_name = $1 AND member_id = $2', [
      this.group,
      this.memberId,
    ]);
  }

  /** Events stored that the group has not committed, and for how long the oldest of them, by topic. */
  async lag(topics: string[]): Promise<{ topic: string; lag: number; seconds: number }[]> {
    const { rows } = await this.pool.query<{ topic: string; lag: string; seconds: number }>({
      name: 'event_bus_lag',
      // The first event at or after each committed offset: a step into the primary key for each partition.
      text: `SELECT g.topic, sum(tp.next_offset - g.committed_offset) AS lag,
                    greatest(coalesce(extract(epoch FROM clock_timestamp() - min(e.appended_at)), 0), 0)::float8 AS seconds
             FROM event_bus.group_partition AS g
             JOIN event_bus.topic_partition AS tp ON tp.topic = g.topic AND tp.partition = g.partition
             LEFT JOIN LATERAL (SELECT appended_at FROM event_bus.event AS e
                                WHERE e.topic = g.topic AND e.partition = g.partition
                                  AND e."offset" >= g.committed_offset AND tp.next_offset > g.committed_offset
                                ORDER BY e."offset" LIMIT 1) AS e ON true
             WHERE g.group_name = $1 AND g.topic = ANY ($2) GROUP BY g.topic`,
      values: [this.group, topics],
    });
    return rows.map(({ topic, lag, seconds }) => ({ topic, lag: Number(lag), seconds }));
  }

  private fenceOf(of: OwnedPartition): unknown[] {
    return [this.group, this.memberId, of.topic, of.partition, of.epoch];
  }
}
