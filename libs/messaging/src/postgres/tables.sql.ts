/**
 * The bus's tables. No row is changed or deleted on the way of an event: what a long snapshot (a
 * dump, a forgotten transaction) keeps from being vacuumed is then nothing that anybody reads past (docs/adr/0020).
 *   log        the events, append-only, in segments that are dropped whole
 *   cursor_n   how far a group is in a partition: a sequence, which is overwritten in place and leaves no dead rows
 *   heartbeat  append-only; a member removes its own old ones by a range of time that it never looks at again
 */
export const TABLES = `
CREATE SCHEMA IF NOT EXISTS event_bus;
CREATE TABLE IF NOT EXISTS event_bus.schema_version (version integer PRIMARY KEY);

CREATE TABLE IF NOT EXISTS event_bus.topic (topic text PRIMARY KEY, partitions integer NOT NULL CHECK (partitions > 0));

-- Each partition, and the offset to go on from when the log holds no event of it any more.
CREATE TABLE IF NOT EXISTS event_bus.partition_base (
  topic text NOT NULL, partition integer NOT NULL, next_offset bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, partition)
);

CREATE TABLE IF NOT EXISTS event_bus.log (
  topic text NOT NULL, partition integer NOT NULL, segment integer NOT NULL, "offset" bigint NOT NULL,
  event_id uuid NOT NULL, type text NOT NULL, aggregate_id text NOT NULL, aggregate_seq bigint NOT NULL,
  occurred_at timestamptz NOT NULL, payload bytea NOT NULL, headers jsonb NOT NULL,
  appended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Within a partition offsets rise from segment to segment.
  CONSTRAINT log_pkey PRIMARY KEY (topic, partition, segment, "offset"),
  CONSTRAINT log_event_id_key UNIQUE (event_id, topic, segment)
) PARTITION BY RANGE (segment);

-- Segments that there are, and from when on events go to them.
CREATE TABLE IF NOT EXISTS event_bus.segment (segment integer PRIMARY KEY, begins_at timestamptz NOT NULL);

DO $$ BEGIN
  IF EXISTS (SELECT FROM event_bus.segment) THEN RETURN; END IF;
  INSERT INTO event_bus.segment VALUES (0, clock_timestamp());
  CREATE TABLE event_bus.segment_0 PARTITION OF event_bus.log FOR VALUES FROM (0) TO (1);
END $$;

CREATE TABLE IF NOT EXISTS event_bus.group_member (
  group_name text NOT NULL, member_id uuid NOT NULL, topics text[] NOT NULL, seen_at timestamptz NOT NULL,
  PRIMARY KEY (group_name, member_id)
);

CREATE TABLE IF NOT EXISTS event_bus.heartbeat (
  group_name text NOT NULL, member_id uuid NOT NULL, seen_at timestamptz NOT NULL,
  PRIMARY KEY (group_name, member_id, seen_at)
);

-- Who has a partition, changed when that does; attempts and careful_until when a process has ended or an event is tried alone.
-- committed_offset is how far the group was when its last owner took the partition over; since then its cursor says it. After
-- lease_until the partition is the owner's for as long as that sends heartbeats.
CREATE TABLE IF NOT EXISTS event_bus.group_partition (
  group_name text NOT NULL, topic text NOT NULL, partition integer NOT NULL,
  committed_offset bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  careful_until bigint NOT NULL DEFAULT 0,
  lease_owner uuid, lease_epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  cursor_id integer GENERATED ALWAYS AS IDENTITY,
  PRIMARY KEY (group_name, topic, partition)
) WITH (fillfactor = 50);
`;

/** What people and tests read. */
export const VIEWS = `
CREATE OR REPLACE FUNCTION event_bus.cursor_of(p_cursor_id integer) RETURNS regclass LANGUAGE sql STABLE AS $$
  SELECT to_regclass('event_bus.cursor_' || p_cursor_id)
$$;

-- How far each group is, and how far it could be.
CREATE OR REPLACE VIEW event_bus.group_progress AS
  SELECT g.group_name, g.topic, g.partition, c.committed_offset, greatest(c.committed_offset, (
    SELECT e."offset" + 1 FROM event_bus.log AS e WHERE e.topic = g.topic AND e.partition = g.partition
    ORDER BY e.segment DESC, e."offset" DESC LIMIT 1)) AS next_offset
  FROM event_bus.group_partition AS g CROSS JOIN LATERAL (
    SELECT greatest(g.committed_offset, pg_sequence_last_value(event_bus.cursor_of(g.cursor_id))) AS committed_offset) AS c;
`;
