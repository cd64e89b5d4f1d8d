/** The columns of `outbox_lock_slots`: what was looked at, and which slots of it are locked now. Times as text, to the microsecond. */
export interface LockedSlots {
  /** Whether relays may publish at all now. */
  isOpen: boolean;
  slots: number[];
  /** In how many slots there is something of what was looked at. */
  slotCount: number;
  /** Whether a slice or more is waiting. */
  isBehind: boolean;
  /** Whether nothing is waiting behind what was looked at. */
  isEnd: boolean;
  /** The time of the oldest and of the newest event looked at, and the moment behind the latter; null when none waits. */
  first: string | null;
  last: string | null;
  next: string | null;
  /** Aggregates that have a large part of what was looked at. */
  heavy: string[];
}

/** Since when to look: from a time on ($1), or from so long ago on ($2) where that is earlier; one of them may be null. */
const SINCE = `least($1::timestamptz, now() - $2::interval)`;

const WAITING = 'published_at IS NULL AND parked_at IS NULL';
const SLOT = '(hashtextextended(aggregate_id, 0) & 63)::integer';

/** Whether anything waits. */
export const ANY_WAITING = {
  name: 'outbox_any_waiting',
  text: `SELECT 1 FROM outbox WHERE ${WAITING} AND occurred_at >= ${SINCE} ORDER BY occurred_at LIMIT 1`,
};

/**
 * Locks the slots of what waits longest, as far as other relays have not; the locks end with the transaction, and so with a
 * connection that dies. An aggregate is always in the same slot, so one relay at a time has its events. What fits into
 * one slice ($3) is taken whole; of more than that a relay tries a random half, which leaves each of n relays as much as any
 * other, without knowing of each other. At most $4 events are looked at, those of aggregates $5 passed by. The lock that is
 * shared here is the only one that relays before slots took.
 */
export const LOCK_SLOTS = {
  name: 'outbox_lock_slots',
  text: `WITH looked AS MATERIALIZED (
           SELECT occurred_at, aggregate_id FROM outbox WHERE ${WAITING} AND occurred_at >= ${SINCE}
           ORDER BY occurred_at LIMIT $4
         ), waiting AS MATERIALIZED (
           SELECT ${SLOT} AS slot, aggregate_id, occurred_at FROM looked WHERE aggregate_id <> ALL ($5::text[])
           ORDER BY occurred_at LIMIT 2 * $3
         ), size AS MATERIALIZED (
           SELECT count(*) >= $3 AS "isBehind", count(DISTINCT slot) AS slots, count(*) < 2 * $3 AS "isWhole",
                  min(occurred_at) AS first, max(occurred_at) AS last FROM waiting
         ), reach AS MATERIALIZED (
           SELECT CASE WHEN "isWhole" THEN (SELECT max(occurred_at) FROM looked) ELSE last END AS last,
                  "isWhole" AND (SELECT count(*) FROM looked) < $4 AS "isEnd" FROM size
         ), tried AS MATERIALIZED (
           SELECT DISTINCT slot, random() AS rank FROM (SELECT DISTINCT slot FROM waiting) AS s
           ORDER BY rank LIMIT (SELECT CASE WHEN "isBehind" THEN (slots + 1) / 2 END FROM size)
         ), gate AS MATERIALIZED (
           SELECT pg_try_advisory_xact_lock_shared(hashtextextended('reseller.outbox.relay', 0)) AS "isOpen"
         ), held AS MATERIALIZED (
           SELECT slot FROM tried WHERE pg_try_advisory_xact_lock(hashtext('reseller.outbox.slot'), slot)
         )
         SELECT "isOpen", "isBehind", "isEnd", size.slots::integer AS "slotCount", size.first::text AS first, reach.last::text AS last,
                (reach.last + interval '1 microsecond')::text AS next,
                CASE WHEN "isOpen" THEN ARRAY(SELECT slot FROM held) ELSE '{}' END AS slots,
                CASE WHEN "isBehind" THEN ARRAY(SELECT aggregate_id FROM waiting GROUP BY aggregate_id HAVING count(*) > $3 / 2)
                     ELSE '{}' END AS heavy
         FROM size, reach, gate`,
};

/**
 * The events of the slots held within what was looked at, oldest first. `before` says where the event before it in its aggregate
 * is: nowhere any more (null), waiting, or parked; sequences have no gaps and are given out in the order of commits.
 */
export const NEXT_SLICE = {
  name: 'outbox_next_slice',
  text: `SELECT event_id AS "eventId", topic, type, aggregate_id AS "aggregateId", aggregate_seq AS "aggregateSeq",
         occurred_at AS "occurredAt", payload, headers,
         CASE WHEN aggregate_seq > 1 THEN (
           SELECT CASE WHEN p.parked_at IS NULL THEN 'waiting' ELSE 'parked' END FROM outbox AS p
           WHERE p.aggregate_id = outbox.aggregate_id AND p.aggregate_seq = outbox.aggregate_seq - 1 AND p.published_at IS NULL
         ) END AS before
  FROM outbox
  WHERE ${WAITING} AND occurred_at BETWEEN $1::timestamptz AND $2::timestamptz
    AND ${SLOT} = ANY ($3::integer[]) AND aggregate_id <> ALL ($4::text[])
  ORDER BY occurred_at LIMIT $5`,
};

/** Marks events as published. */
export const MARK_PUBLISHED = {
  name: 'outbox_mark_published',
  text: 'UPDATE outbox SET published_at = clock_timestamp() WHERE event_id = ANY($1::uuid[])',
};

/** Sets events aside, each with the reason for which it was refused, or with none when it waits behind such a one. */
export const PARK = {
  name: 'outbox_park',
  text: `UPDATE outbox SET parked_at = clock_timestamp(), parked_reason = p.reason
         FROM unnest($1::uuid[], $2::text[]) AS p (event_id, reason) WHERE outbox.event_id = p.event_id`,
};
