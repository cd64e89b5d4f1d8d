-- The schema of the event bus as of version 2, for the test of going on from there.
CREATE SCHEMA IF NOT EXISTS event_bus;
CREATE TABLE IF NOT EXISTS event_bus.schema_version (version integer PRIMARY KEY);

CREATE TABLE IF NOT EXISTS event_bus.topic (topic text PRIMARY KEY, partitions integer NOT NULL CHECK (partitions > 0));

CREATE TABLE IF NOT EXISTS event_bus.topic_partition (
  topic text NOT NULL, partition integer NOT NULL, next_offset bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (topic, partition)
) WITH (fillfactor = 50);

CREATE TABLE IF NOT EXISTS event_bus.event (
  topic text NOT NULL, partition integer NOT NULL, "offset" bigint NOT NULL,
  event_id uuid NOT NULL, type text NOT NULL, aggregate_id text NOT NULL, aggregate_seq bigint NOT NULL,
  occurred_at timestamptz NOT NULL, payload bytea NOT NULL, headers jsonb NOT NULL,
  appended_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (topic, partition, "offset"),
  CONSTRAINT event_id_key UNIQUE (topic, event_id)
);
CREATE INDEX IF NOT EXISTS event_appended_at_idx ON event_bus.event USING brin (appended_at);

CREATE TABLE IF NOT EXISTS event_bus.group_member (
  group_name text NOT NULL, member_id uuid NOT NULL, topics text[] NOT NULL, seen_at timestamptz NOT NULL,
  PRIMARY KEY (group_name, member_id)
);

CREATE TABLE IF NOT EXISTS event_bus.group_partition (
  group_name text NOT NULL, topic text NOT NULL, partition integer NOT NULL,
  committed_offset bigint NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  careful_until bigint NOT NULL DEFAULT 0,
  lease_owner uuid, lease_epoch bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (group_name, topic, partition)
) WITH (fillfactor = 50);

CREATE OR REPLACE FUNCTION event_bus.ensure_topics(p_topics text[], p_partitions integer)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(p_topics) AS t (topic) WHERE NOT EXISTS (
               SELECT FROM event_bus.topic_partition AS tp WHERE tp.topic = t.topic)) THEN
    INSERT INTO event_bus.topic (topic, partitions)
    SELECT DISTINCT t, p_partitions FROM unnest(p_topics) AS t ORDER BY t ON CONFLICT DO NOTHING;
    INSERT INTO event_bus.topic_partition (topic, partition)
    SELECT t.topic, n FROM event_bus.topic AS t CROSS JOIN generate_series(0, t.partitions - 1) AS n
    WHERE t.topic = ANY (p_topics) ORDER BY 1, 2 ON CONFLICT DO NOTHING;
  END IF;
END $$;

-- Offsets are given out under the partition's row lock, held to the commit: a reader of "offset >= committed" never
-- meets a hole that is filled later. The statement after the lock sees all that the last holder stored.
CREATE OR REPLACE FUNCTION event_bus.publish(
  p_partitions integer, p_topics text[], p_types text[], p_ids uuid[], p_aggregates text[], p_seqs bigint[],
  p_times timestamptz[], p_payloads bytea[], p_headers text[]
) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE stored integer;
BEGIN
  PERFORM event_bus.ensure_topics(p_topics, p_partitions);
  PERFORM FROM event_bus.topic_partition AS tp
  WHERE (tp.topic, tp.partition) IN (
    SELECT i.topic, event_bus.partition_of(i.aggregate_id, t.partitions)
    FROM unnest(p_topics, p_aggregates) AS i (topic, aggregate_id) JOIN event_bus.topic AS t ON t.topic = i.topic)
  ORDER BY tp.topic, tp.partition FOR UPDATE;
  WITH input AS (
    SELECT DISTINCT ON (i.topic, i.event_id) i.*, event_bus.partition_of(i.aggregate_id, t.partitions) AS partition
    FROM unnest(p_topics, p_types, p_ids, p_aggregates, p_seqs, p_times, p_payloads, p_headers) WITH ORDINALITY
      AS i (topic, type, event_id, aggregate_id, aggregate_seq, occurred_at, payload, headers, ord)
    JOIN event_bus.topic AS t ON t.topic = i.topic
    WHERE NOT EXISTS (SELECT FROM event_bus.event AS e WHERE e.topic = i.topic AND e.event_id = i.event_id)
    ORDER BY i.topic, i.event_id, i.ord
  ), numbered AS (
    SELECT i.*, tp.next_offset + row_number() OVER (PARTITION BY i.topic, i.partition ORDER BY i.ord) - 1 AS "offset"
    FROM input AS i JOIN event_bus.topic_partition AS tp ON tp.topic = i.topic AND tp.partition = i.partition
  ), advanced AS (
    UPDATE event_bus.topic_partition AS tp SET next_offset = n.last + 1
    FROM (SELECT topic, partition, max("offset") AS last FROM numbered GROUP BY topic, partition) AS n
    WHERE tp.topic = n.topic AND tp.partition = n.partition
  )
  INSERT INTO event_bus.event (topic, partition, "offset", event_id, type, aggregate_id, aggregate_seq, occurred_at,
                               payload, headers)
  SELECT topic, partition, "offset", event_id, type, aggregate_id, aggregate_seq, occurred_at, payload, headers::jsonb
  FROM numbered;
  GET DIAGNOSTICS stored = ROW_COUNT;
  RETURN stored;
END $$;

CREATE OR REPLACE FUNCTION event_bus.partition_of(p_key text, p_partitions integer)
RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT ((hashtextextended(p_key, 0) & 9223372036854775807) % p_partitions)::integer
$$;

-- A member's sign of life: renews its leases, takes free partitions up to its fair share, returns what it owns. By
-- partition before topic, so that a member has some of every topic: often one of them has all the events.
CREATE OR REPLACE FUNCTION event_bus.heartbeat(
  p_group text, p_member uuid, p_topics text[], p_partitions integer, p_lease interval
) RETURNS TABLE (topic text, partition integer, epoch text, share integer) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE members integer; total integer; owned integer; fair integer;
BEGIN
  PERFORM event_bus.ensure_topics(p_topics, p_partitions);
  INSERT INTO event_bus.group_partition (group_name, topic, partition)
  SELECT p_group, tp.topic, tp.partition FROM event_bus.topic_partition AS tp
  WHERE tp.topic = ANY (p_topics) AND NOT EXISTS (
    SELECT FROM event_bus.group_partition AS g
    WHERE g.group_name = p_group AND g.topic = tp.topic AND g.partition = tp.partition)
  ORDER BY tp.topic, tp.partition ON CONFLICT DO NOTHING;
  INSERT INTO event_bus.group_member VALUES (p_group, p_member, p_topics, clock_timestamp())
  ON CONFLICT (group_name, member_id) DO UPDATE SET topics = excluded.topics, seen_at = excluded.seen_at;
  DELETE FROM event_bus.group_member WHERE group_name = p_group AND seen_at < clock_timestamp() - 10 * p_lease;
  UPDATE event_bus.group_partition SET lease_until = clock_timestamp() + p_lease
  WHERE group_name = p_group AND lease_owner = p_member AND topic = ANY (p_topics);
  GET DIAGNOSTICS owned = ROW_COUNT;
  SELECT count(*) INTO members FROM event_bus.group_member
  WHERE group_name = p_group AND topics && p_topics AND seen_at > clock_timestamp() - p_lease;
  SELECT count(*) INTO total FROM event_bus.group_partition WHERE group_name = p_group AND topic = ANY (p_topics);
  fair := ceil(total::numeric / greatest(members, 1));
  UPDATE event_bus.group_partition AS g
  SET lease_owner = p_member, lease_epoch = lease_epoch + 1, lease_until = clock_timestamp() + p_lease
  FROM (SELECT topic, partition FROM event_bus.group_partition
        WHERE group_name = p_group AND topic = ANY (p_topics) AND lease_until < clock_timestamp()
        ORDER BY partition, topic LIMIT greatest(fair - owned, 0) FOR UPDATE SKIP LOCKED) AS free
  WHERE g.group_name = p_group AND g.topic = free.topic AND g.partition = free.partition;
  RETURN QUERY SELECT topic, partition, lease_epoch::text, fair FROM event_bus.group_partition
  WHERE group_name = p_group AND topic = ANY (p_topics) AND lease_owner = p_member ORDER BY partition, topic;
END $$;
