import { query, sqlStateOf, withTransaction, type PreparedStatement } from '@reseller/database';
import type { Logger } from '@reseller/service-kit';
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { addDays, firstIdOf } from './domain/day-ids';

/** Deliveries are listed for so many days, today not counted; then their partition goes. */
export const KEEP_DAYS = 30;
/** An event is kept for as long as a delivery made of it on its last day may take, so that none loses its body. */
export const KEEP_EVENT_DAYS = 2 * KEEP_DAYS + 2;

const DELIVERIES = 'webhook_finished_deliveries';
const EVENTS = 'webhook_events';
const FEED = 'webhook_feed_events';
const TABLES = [EVENTS, DELIVERIES, FEED] as const;

const DAY_MS = 86_400_000;

/** How often a day in use is tried to be made while somebody holds its table, and how long the others go first in between. */
const TRIES = 20;
const REST_MS = 100;

/** For how many days each table's rows stay, when the feed keeps events for so long. */
export function keepDaysOf(eventRetentionMs: number): Readonly<Record<(typeof TABLES)[number], number>> {
  const days = Math.ceil(eventRetentionMs / DAY_MS);
  return {
    // An event may be taken in days after it happened, by which its partition goes; the feed reads its body until its time is up.
    webhook_events: Math.max(KEEP_EVENT_DAYS, days + KEEP_DAYS + 2),
    webhook_finished_deliveries: KEEP_DAYS,
    [FEED]: Math.max(KEEP_DAYS, days) + 1,
  };
}

const TODAY: PreparedStatement = {
  name: 'webhook-today',
  text: "SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date::text AS today",
};
const PARTITIONS: PreparedStatement = {
  name: 'webhook-partitions',
  text: `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = $1::regclass AND c.relname ~ '_\\d{8}$' ORDER BY 1`,
};

// The service's own role owns no table, so routines of the owner make and drop them.
const MAKE: PreparedStatement = {
  name: 'webhook-make-partition',
  text: 'SELECT make_webhook_partition($1, $2, $3, $4)',
};
const MAKE_FEED: PreparedStatement = {
  name: 'feed-make-partition',
  text: 'SELECT make_feed_partition($1)',
};
const DROP_FEED: PreparedStatement = {
  name: 'feed-drop-partitions',
  text: 'SELECT drop_feed_partitions($1) AS dropped',
};
const DETACH: PreparedStatement = {
  name: 'webhook-detach-partitions',
  text: 'SELECT name FROM detach_webhook_partitions($1, $2) AS name',
};
const DROP: PreparedStatement = {
  name: 'webhook-drop-partitions',
  text: 'SELECT drop_webhook_partitions($1, $2) AS dropped',
};

/** The tables that have a partition for each day. Raw, all of it: Prisma knows no partitions. */
export class PartitionRepository {
  constructor(
    private readonly pool: Pool,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly eventRetentionMs = KEEP_DAYS * DAY_MS,
    /** Whether deliveries and events past their time wait for the archive. */
    private readonly isArchived = false,
  ) {}

  /**
   * Makes the partitions of yesterday and of so many days to come that are not there yet; safe on several instances. Where somebody holds
   * a table, later days are left to the next time; up to tomorrow it tries again for two seconds and more, then rejects.
   */
  async make(daysAhead: number): Promise<void> {
    const today = await todayOf(this.pool);
    for (const table of TABLES) {
      const present = await partitionsOf(this.pool, table);
      for (let ahead = -1; ahead <= daysAhead; ahead += 1) {
        const day = addDays(today, ahead);
        if (present.includes(partitionOf(table, day))) continue;
        if (!(await this.makeOne(table, day, ahead <= 1 ? TRIES : 1))) break;
      }
    }
  }

  /**
   * Drops what is past its time, in whole days: deliveries with their counts, and events; what is archived is set aside instead.
   * Returns how many partitions went.
   */
  dropOld(): Promise<number> {
    return withTransaction(this.pool, async (tx) => {
      // A drop waits for whoever reads the table, and everybody else would wait behind it.
      await tx.query("SET LOCAL lock_timeout = '2s'");
      const today = await todayOf(tx);
      const keepDays = keepDaysOf(this.eventRetentionMs);
      const oldestOf = (table: (typeof TABLES)[number]): string => addDays(today, -keepDays[table]);
      await tx.query('DELETE FROM webhook_delivery_counts WHERE day < $1', [oldestOf(DELIVERIES)]);
      const dropped = await drop(tx, DROP_FEED, [oldestOf(FEED)]);
      if (this.isArchived) {
        const waiting = await query(tx, DETACH, [DELIVERIES, oldestOf(DELIVERIES)]);
        // Deliveries are archived with what their events say of them.
        if (waiting.length === 0) await query(tx, DETACH, [EVENTS, oldestOf(EVENTS)]);
        return dropped;
      }
      await deleteOldRows(tx, today, keepDays.webhook_events);
      return (
        dropped +
        (await drop(tx, DROP, [DELIVERIES, oldestOf(DELIVERIES)])) +
        (await drop(tx, DROP, [EVENTS, oldestOf(EVENTS)]))
      );
    });
  }

  /** False when somebody held the table, and a later day can wait. */
  private async makeOne(table: string, day: string, tries: number): Promise<boolean> {
    for (let left = tries; ; left -= 1) {
      try {
        if (table === FEED) await query(this.pool, MAKE_FEED, [day]);
        else await query(this.pool, MAKE, [table, day, firstIdOf(day), firstIdOf(addDays(day, 1))]);
        return true;
      } catch (err) {
        const state = sqlStateOf(err);
        // Another instance was quicker.
        if (state === '42P07' || state === '23505') return true;
        if (state === '23514') {
          const text = 'a day has no partition made in time; its rows stay in the default one';
          this.log.warn({ err, table, day }, text);
          return true;
        }
        if (state !== '55P03') throw err;
        if (tries === 1) {
          this.log.warn(
            { err, table, day },
            'a table is in use; the partitions of its next days are made later',
          );
          return false;
        }
        if (left === 1) throw err;
      }
      await pause(REST_MS);
    }
  }
}

async function deleteOldRows(tx: PoolClient, today: string, keepEventDays: number): Promise<void> {
  const oldestDelivery = firstIdOf(addDays(today, -KEEP_DAYS));
  const oldestEvent = addDays(today, -keepEventDays);
  await tx.query('DELETE FROM webhook_events_default WHERE created_at < $1', [`${oldestEvent}T00:00:00Z`]);
  await tx.query('DELETE FROM webhook_finished_deliveries_default WHERE id < $1', [oldestDelivery]);
}

async function drop(tx: PoolClient, statement: PreparedStatement, values: string[]): Promise<number> {
  const [row] = await query<{ dropped: number }>(tx, statement, values);
  return row?.dropped ?? 0;
}

const partitionOf = (table: string, day: string): string => `${table}_${day.replaceAll('-', '')}`;

async function todayOf(db: Pool | PoolClient): Promise<string> {
  const [row] = await query<{ today: string }>(db, TODAY);
  if (!row) throw new Error('the database did not say what day it is');
  return row.today;
}

async function partitionsOf(db: Pool | PoolClient, table: string): Promise<string[]> {
  return (await query<{ name: string }>(db, PARTITIONS, [table])).map(({ name }) => name);
}
