import { INDEXED } from './publish.sql';

const FENCE = `g.group_name = p_group AND g.lease_owner = p_member AND g.topic = i.topic AND g.partition = i.partition
    AND g.lease_epoch = i.epoch`;

/** A commit of a consumer's that a power cut loses is only a redelivery, so it need not wait for the disk. */
const UNHURRIED = `PERFORM set_config('synchronous_commit', 'off', true);`;

/** How members share partitions, read events and say how far they are. */
export const GROUP = `
-- A member's sign of life: takes free partitions up to its fair share, returns what it owns, how far the group is in each and where
-- its new events end. By partition before topic, so that a member has some of every topic: often one of them has all the events.
-- An owner that did not give a partition up before it vanished may have ended at what it was handling: that counts as an attempt
-- at what comes next.
CREATE OR REPLACE FUNCTION event_bus.renew(
  p_group text, p_member uuid, p_topics text[], p_partitions integer, p_lease interval, p_batch integer
) RETURNS TABLE (
  topic text, partition integer, epoch text, share integer, committed text, attempts integer, "carefulUntil" text, next text
) LANGUAGE plpgsql ${INDEXED} AS $$
#variable_conflict use_column
DECLARE v_now timestamptz; v_members integer; v_total integer; v_owned integer; v_fair integer; v_current integer; made record;
BEGIN
  ${UNHURRIED}
  PERFORM event_bus.ensure_topics(p_topics, p_partitions);
  INSERT INTO event_bus.group_partition (group_name, topic, partition)
  SELECT p_group, b.topic, b.partition FROM event_bus.partition_base AS b
  WHERE b.topic = ANY (p_topics) AND NOT EXISTS (
    SELECT FROM event_bus.group_partition AS g
    WHERE g.group_name = p_group AND g.topic = b.topic AND g.partition = b.partition)
  ORDER BY b.topic, b.partition ON CONFLICT DO NOTHING;
  FOR made IN SELECT cursor_id FROM event_bus.group_partition
              WHERE group_name = p_group AND topic = ANY (p_topics) AND event_bus.cursor_of(cursor_id) IS NULL
  LOOP
    EXECUTE format('CREATE SEQUENCE IF NOT EXISTS event_bus.cursor_%s MINVALUE 0', made.cursor_id);
  END LOOP;
  v_now := clock_timestamp();
  INSERT INTO event_bus.group_member VALUES (p_group, p_member, p_topics, v_now) ON CONFLICT DO NOTHING;
  INSERT INTO event_bus.heartbeat VALUES (p_group, p_member, v_now) ON CONFLICT DO NOTHING;
  DELETE FROM event_bus.heartbeat
  WHERE group_name = p_group AND member_id = p_member AND seen_at BETWEEN v_now - 4 * p_lease AND v_now - 2 * p_lease;
  WITH gone AS (
    DELETE FROM event_bus.group_member AS m WHERE m.group_name = p_group AND m.seen_at < v_now - 10 * p_lease AND NOT EXISTS (
      SELECT FROM event_bus.heartbeat AS h
      WHERE h.group_name = p_group AND h.member_id = m.member_id AND h.seen_at > v_now - 10 * p_lease)
    RETURNING m.member_id
  )
  DELETE FROM event_bus.heartbeat AS h USING gone WHERE h.group_name = p_group AND h.member_id = gone.member_id;

  SELECT count(*) INTO v_members FROM event_bus.group_member AS m
  WHERE m.group_name = p_group AND m.topics && p_topics AND event_bus.is_alive(p_group, m.member_id, v_now - p_lease);
  SELECT count(*), count(*) FILTER (WHERE lease_owner = p_member) INTO v_total, v_owned
  FROM event_bus.group_partition WHERE group_name = p_group AND topic = ANY (p_topics);
  v_fair := ceil(v_total::numeric / greatest(v_members, 1));
  UPDATE event_bus.group_partition AS g
  SET lease_owner = p_member, lease_epoch = g.lease_epoch + 1, lease_until = v_now + p_lease, committed_offset = free.committed,
      attempts = CASE WHEN free.is_suspect THEN 1 ELSE g.attempts END,
      careful_until = CASE WHEN free.is_suspect THEN greatest(g.careful_until, free.committed + p_batch) ELSE g.careful_until END
  FROM (SELECT f.topic, f.partition, f.committed, f.lease_owner IS NOT NULL AND f.attempts = 0 AND EXISTS (
                 SELECT FROM event_bus.log AS e
                 WHERE e.topic = f.topic AND e.partition = f.partition AND e."offset" >= f.committed) AS is_suspect
        FROM (SELECT o.topic, o.partition, o.lease_owner, o.attempts,
                     greatest(o.committed_offset, pg_sequence_last_value(event_bus.cursor_of(o.cursor_id))) AS committed
              FROM event_bus.group_partition AS o
              -- Who took one a moment ago may have sent heartbeats that this statement cannot see yet.
              WHERE o.group_name = p_group AND o.topic = ANY (p_topics) AND o.lease_until < v_now
                AND (o.lease_owner IS NULL OR NOT event_bus.is_alive(p_group, o.lease_owner, v_now - p_lease))
              ORDER BY o.partition, o.topic LIMIT greatest(v_fair - v_owned, 0) FOR UPDATE SKIP LOCKED) AS f) AS free
  WHERE g.group_name = p_group AND g.topic = free.topic AND g.partition = free.partition;

  SELECT max(s.segment) INTO v_current FROM event_bus.segment AS s;
  RETURN QUERY SELECT g.topic, g.partition, g.lease_epoch::text, v_fair,
    greatest(g.committed_offset, pg_sequence_last_value(event_bus.cursor_of(g.cursor_id)))::text, g.attempts,
    g.careful_until::text, (
      SELECT e."offset" + 1 FROM event_bus.log AS e
      WHERE e.topic = g.topic AND e.partition = g.partition AND e.segment >= v_current - 1
      ORDER BY e.segment DESC, e."offset" DESC LIMIT 1)::text
  FROM event_bus.group_partition AS g
  WHERE g.group_name = p_group AND g.topic = ANY (p_topics) AND g.lease_owner = p_member ORDER BY g.partition, g.topic;
END $$;

CREATE OR REPLACE FUNCTION event_bus.is_alive(p_group text, p_member uuid, p_since timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM event_bus.heartbeat AS h
                 WHERE h.group_name = p_group AND h.member_id = p_member AND h.seen_at > p_since)
$$;

-- One trip for all partitions of a member that have something to say: moves each to the offset it has come to (null for none), and
-- reads what comes next. A partition that another member has by now has no row in the result, one without events has one of nulls.
CREATE OR REPLACE FUNCTION event_bus.exchange(
  p_group text, p_member uuid, p_topics text[], p_partitions integer[], p_epochs bigint[],
  p_commits bigint[], p_resets boolean[], p_segments integer[], p_offsets bigint[], p_limits integer[]
) RETURNS TABLE (
  place integer, segment integer, "offset" text, "eventId" uuid, type text, "aggregateId" text, "aggregateSeq" text,
  "occurredAt" timestamptz, payload bytea, headers jsonb
) LANGUAGE plpgsql ${INDEXED} AS $$
#variable_conflict use_column
BEGIN
  ${UNHURRIED}
  IF true = ANY (p_resets) THEN
    UPDATE event_bus.group_partition AS g SET attempts = 0
    FROM unnest(p_topics, p_partitions, p_epochs, p_resets) AS i (topic, partition, epoch, resets) WHERE i.resets AND ${FENCE};
  END IF;
  PERFORM setval(event_bus.cursor_of(g.cursor_id), i.committed)
  FROM unnest(p_topics, p_partitions, p_epochs, p_commits) AS i (topic, partition, epoch, committed)
  JOIN event_bus.group_partition AS g ON ${FENCE} WHERE i.committed IS NOT NULL;
  RETURN QUERY SELECT i.place::integer, e.segment, e."offset"::text, e.event_id, e.type, e.aggregate_id, e.aggregate_seq::text,
                      e.occurred_at, e.payload, e.headers
  FROM unnest(p_topics, p_partitions, p_epochs, p_segments, p_offsets, p_limits) WITH ORDINALITY
    AS i (topic, partition, epoch, segment, "offset", "limit", place)
  JOIN event_bus.group_partition AS g ON ${FENCE}
  LEFT JOIN LATERAL (
    SELECT * FROM event_bus.log AS e
    WHERE e.topic = i.topic AND e.partition = i.partition AND e.segment >= i.segment AND e."offset" >= i."offset"
    ORDER BY e.segment, e."offset" LIMIT i."limit") AS e ON true
  ORDER BY i.place, e.segment, e."offset";
END $$;

-- Forgets a group that nobody is a member of any more: it holds no segment back.
CREATE OR REPLACE FUNCTION event_bus.retire_group(p_group text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE gone record;
BEGIN
  FOR gone IN DELETE FROM event_bus.group_partition WHERE group_name = p_group RETURNING cursor_id LOOP
    EXECUTE format('DROP SEQUENCE IF EXISTS event_bus.cursor_%s', gone.cursor_id);
  END LOOP;
END $$;
`;
