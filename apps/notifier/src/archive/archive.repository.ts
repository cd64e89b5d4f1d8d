import { partOfIds, type ArchivedTable, type ArchivePart, type ArchiveSource } from '@reseller/archive';
import { query, type PreparedStatement } from '@reseller/database';
import type { Pool } from 'pg';
import { keepDaysOf } from '../delivery/partition.repository';
import { dayOf, firstIdOf, addDays } from '../delivery/domain/day-ids';
import { EVENTS, FINISHED_DELIVERIES } from './archived-tables';

/** A delivery that waited longest ends this much after its partition went, and lies in the default one. */
const LATE_DAYS = 4;
const LATE_ROWS = 5_000;

const SET_ASIDE: PreparedStatement = {
  name: 'archive_set_aside',
  text: `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relispartition
    AND relname ~ ('^' || $1 || '_\\d{8}$') ORDER BY 1 LIMIT 1`,
};
const DROP: PreparedStatement = {
  name: 'archive_drop_partition',
  text: 'SELECT drop_archived_partition($1, $2)',
};

const LATE_DELIVERIES: PreparedStatement = {
  name: 'archive_late_deliveries',
  text: `SELECT id::text AS id FROM webhook_finished_deliveries_default WHERE id < (SELECT uuidv7(-make_interval(days => $1)))
    ORDER BY id LIMIT $2`,
};
const LATE_EVENTS: PreparedStatement = {
  name: 'archive_late_events',
  text: `WITH late AS MATERIALIZED (
      SELECT event_id, (created_at AT TIME ZONE 'UTC')::date AS day FROM webhook_events_default
      WHERE created_at < clock_timestamp() - make_interval(days => $1)
    )
    SELECT event_id::text AS id, day FROM late WHERE day = (SELECT min(day) FROM late) ORDER BY event_id LIMIT $2`,
};

/** What notifier archives, in an order in which deliveries find their events: days that were set aside, and rows that no day had. */
export function archiveSources(pool: Pool, eventRetentionMs: number): ArchiveSource[] {
  const keepDays = keepDaysOf(eventRetentionMs);
  const lateDeliveries = async (): Promise<ArchivePart | undefined> => {
    const values = [keepDays.webhook_finished_deliveries + LATE_DAYS, LATE_ROWS];
    const rows = await query<{ id: string }>(pool, LATE_DELIVERIES, values);
    if (!rows[0]) return undefined;
    const day = dayOf(rows[0].id);
    return latePart(
      FINISHED_DELIVERIES,
      day,
      rows.filter(({ id }) => id < firstIdOf(addDays(day, 1))),
    );
  };
  const lateEvents = async (): Promise<ArchivePart | undefined> => {
    const rows = await query<LateEvent>(pool, LATE_EVENTS, [keepDays.webhook_events + 1, LATE_ROWS]);
    return rows[0] && latePart(EVENTS, rows[0].day, rows);
  };
  return [
    source(FINISHED_DELIVERIES, () => setAside(pool, FINISHED_DELIVERIES), lateDeliveries),
    source(EVENTS, () => setAside(pool, EVENTS), lateEvents),
  ];
}

interface LateEvent {
  id: string;
  day: string;
}

type Next = ArchiveSource['next'];

const source = ({ table }: ArchivedTable, first: Next, then: Next): ArchiveSource => ({
  table,
  next: async () => (await first()) ?? (await then()),
});

async function setAside(pool: Pool, of: ArchivedTable): Promise<ArchivePart | undefined> {
  const [found] = await query<{ name: string }>(pool, SET_ASIDE, [of.table]);
  if (!found) return undefined;
  const day = found.name.replace(/^.*_(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  return {
    of,
    day,
    name: 'day',
    relation: found.name,
    remove: async (tx) => {
      await query(tx, DROP, [of.table, day]);
      return undefined;
    },
  };
}

const latePart = (of: ArchivedTable, day: string, found: readonly { id: string }[]): ArchivePart => {
  const relation = `${of.table}_default`;
  return partOfIds(of, {
    day,
    name: 'late',
    relation,
    ids: found.map(({ id }) => id),
    remove: async (tx, condition) =>
      (await tx.query(`DELETE FROM ${relation} WHERE ${condition}`)).rowCount ?? 0,
  });
};
