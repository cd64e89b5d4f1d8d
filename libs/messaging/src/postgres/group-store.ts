import type { Pool } from 'pg';
import type { Claim, OwnedPartition, PartitionStore } from '../partition-store';
import { Exchange } from './exchange';

const FENCE = `group_name = $1 AND lease_owner = $2 AND topic = $3 AND partition = $4 AND lease_epoch = $5`;

/** How far the owner of a partition is. It alone changes that while its lease lasts, so it knows it without reading. */
interface Progress {
  next: bigint;
  /** At or before the segment of the next event. */
  segment: number;
  /** As the table has them. */
  attempts: number;
  carefulUntil: bigint;
  /** Handled up to here, and to be written together with the next request. */
  unwritten: bigint | null;
  resets: boolean;
  /** Whether what comes next was handed out from here; a commit of anything else does not move it on. */
  isClaimed: boolean;
}

interface Renewed extends OwnedPartition {
  share: number;
  committed: string;
  attempts: number;
  carefulUntil: string;
  next: string | null;
}

/** One member's statements against the bus's tables. */
export class GroupStore implements PartitionStore {
  private readonly exchange: Exchange;
  private readonly progress = new Map<string, Progress>();
  /** On the clock of `performance.now()`: later the partitions may be another's. */
  private leaseEndsAt = -Infinity;

  constructor(
    private readonly pool: Pool,
    private readonly group: string,
    private readonly memberId: string,
  ) {
    this.exchange = new Exchange(pool, group, memberId);
  }

  /** Sends a heartbeat and returns what the member owns, which of that has something to do, and its fair share of the partitions. */
  async heartbeat(
    topics: string[],
    settings: { partitions: number; leaseMs: number; batchSize: number },
  ): Promise<{ owned: OwnedPartition[]; behind: OwnedPartition[]; share: number }> {
    const { partitions, leaseMs, batchSize } = settings;
    const sentAt = performance.now();
    const { rows } = await this.pool.query<Renewed>({
      name: 'event_bus_renew',
      text: `SELECT * FROM event_bus.renew($1, $2, $3, $4, make_interval(secs => $5::float8 / 1000), $6)`,
      values: [this.group, this.memberId, topics, partitions, leaseMs, batchSize],
    });
    // By when its response came: the request may have waited for a database that failed over.
    const hadLapsed = performance.now() > this.leaseEndsAt;
    this.leaseEndsAt = sentAt + leaseMs;
    const keys = new Set(rows.map(keyOf));
    for (const key of this.progress.keys()) if (!keys.has(key)) this.progress.delete(key);
    const behind = rows.filter((row) => this.note(row, hadLapsed));
    const owned = rows.map(({ topic, partition, epoch }) => ({ topic, partition, epoch }));
    return { owned, behind, share: rows[0]?.share ?? 0 };
  }

  /**
   * Begins where the group is when the partition is new; returns whether there is something to do. After a lapse it begins there
   * again: a database that failed over may have lost commits, and gives their offsets to other events.
   */
  private note(row: Renewed, hadLapsed: boolean): boolean {
    const known = this.progress.get(keyOf(row));
    if (known && !hadLapsed)
      return known.unwritten !== null || (row.next !== null && BigInt(row.next) > known.next);
    this.progress.set(keyOf(row), {
      next: BigInt(row.committed),
      segment: 0,
      attempts: row.attempts,
      carefulUntil: BigInt(row.carefulUntil),
      unwritten: null,
      resets: false,
      isClaimed: false,
    });
    return true;
  }

  /**
   * Writes how far the partition is and reads its next events. The attempt at them is not written: when the process ends without
   * giving the partition up, the next owner counts it.
   */
  async claim(of: OwnedPartition, batchSize: number): Promise<Claim | undefined> {
    const progress = this.progress.get(keyOf(of));
    if (!progress || performance.now() > this.leaseEndsAt) return undefined;
    const careful = progress.carefulUntil > progress.next;
    const logged = await this.request(of, progress, careful ? 1 : batchSize);
    const first = logged?.[0];
    if (!first) return undefined;
    progress.segment = first.segment;
    progress.isClaimed = true;
    if (!careful) progress.carefulUntil = progress.next + BigInt(batchSize);
    const events = logged.map(({ segment: _, ...event }) => event);
    return { attempts: progress.attempts + 1, careful, nextOffset: first.offset, events };
  }

  /** The group has moved on to an offset, which is written with the partition's next claim or release. */
  commit(of: OwnedPartition, offset: string, wasWholeBatch: boolean): Promise<boolean> {
    const progress = this.progress.get(keyOf(of));
    if (!progress?.isClaimed) return Promise.resolve(false);
    progress.isClaimed = false;
    progress.next = progress.unwritten = BigInt(offset);
    progress.resets ||= progress.attempts > 0;
    progress.attempts = 0;
    if (wasWholeBatch) progress.carefulUntil = progress.next;
    return Promise.resolve(true);
  }

  async setAttempts(of: OwnedPartition, attempts: number): Promise<boolean> {
    const progress = this.progress.get(keyOf(of));
    if (!progress) return false;
    if (progress.attempts === attempts) return true;
    const { rowCount } = await this.pool.query(
      `UPDATE event_bus.group_partition SET attempts = $6 WHERE ${FENCE}`,
      [...this.fenceOf(of), attempts],
    );
    progress.attempts = attempts;
    return rowCount === 1;
  }

  /** Gives partitions up, so that another member can take them at once. */
  async release(partitions: OwnedPartition[]): Promise<void> {
    await Promise.all(partitions.map((of) => this.flush(of)));
    for (const of of partitions) {
      await this.pool.query(
        `UPDATE event_bus.group_partition SET lease_owner = NULL, lease_until = '-infinity' WHERE ${FENCE}`,
        this.fenceOf(of),
      );
      this.progress.delete(keyOf(of));
    }
  }

  private async flush(of: OwnedPartition): Promise<void> {
    const progress = this.progress.get(keyOf(of));
    if (progress && progress.unwritten !== null) await this.request(of, progress, 0);
  }

  private async request(
    of: OwnedPartition,
    progress: Progress,
    limit: number,
  ): ReturnType<Exchange['request']> {
    const { next: offset, segment, unwritten: committed, resets } = progress;
    const logged = await this.exchange.request({ of, committed, resets, segment, offset, limit });
    progress.unwritten = null;
    progress.resets = false;
    return logged;
  }

  /** Signs off. */
  async leave(): Promise<void> {
    await this.pool.query(
      `WITH gone AS (DELETE FROM event_bus.group_member WHERE group_name = $1 AND member_id = $2)
       DELETE FROM event_bus.heartbeat WHERE group_name = $1 AND member_id = $2`,
      [this.group, this.memberId],
    );
  }

  /** Events stored that the group has not committed, and for how long the oldest of them, by topic. */
  async lag(topics: string[]): Promise<{ topic: string; lag: number; seconds: number }[]> {
    const { rows } = await this.pool.query<{ topic: string; lag: string; seconds: number }>({
      name: 'event_bus_lag',
      // The first event at or after each committed offset: a step into the primary key for each partition that is behind.
      text: `SELECT g.topic, sum(g.next_offset - g.committed_offset) AS lag,
                    greatest(coalesce(extract(epoch FROM clock_timestamp() - min(e.appended_at)), 0), 0)::float8 AS seconds
             FROM event_bus.group_progress AS g
             LEFT JOIN LATERAL (SELECT e.appended_at FROM event_bus.log AS e
                                WHERE e.topic = g.topic AND e.partition = g.partition
                                  AND e."offset" >= g.committed_offset AND g.next_offset > g.committed_offset
                                ORDER BY e.segment, e."offset" LIMIT 1) AS e ON true
             WHERE g.group_name = $1 AND g.topic = ANY ($2) GROUP BY g.topic`,
      values: [this.group, topics],
    });
    return rows.map(({ topic, lag, seconds }) => ({ topic, lag: Number(lag), seconds }));
  }

  private fenceOf(of: OwnedPartition): unknown[] {
    return [this.group, this.memberId, of.topic, of.partition, of.epoch];
  }
}

/** An ownership, which ends with its epoch. */
export const keyOf = ({ topic, partition, epoch }: OwnedPartition): string =>
  `${topic}/${partition}/${epoch}`;
