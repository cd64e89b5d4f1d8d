/** Plans are made once, when tables may be empty, and must not read or sort whole segments later. */
export const INDEXED = `SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
  SET plan_cache_mode = force_generic_plan`;

/** How events come into the log. */
export const PUBLISH = `
CREATE OR REPLACE FUNCTION event_bus.ensure_topics(p_topics text[], p_partitions integer)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM unnest(p_topics) AS t (topic) WHERE NOT EXISTS (
               SELECT FROM event_bus.partition_base AS b WHERE b.topic = t.topic)) THEN
    INSERT INTO event_bus.topic (topic, partitions)
    SELECT DISTINCT t, p_partitions FROM unnest(p_topics) AS t ORDER BY t ON CONFLICT DO NOTHING;
    INSERT INTO event_bus.partition_base (topic, partition)
    SELECT t.topic, n FROM event_bus.topic AS t CROSS JOIN generate_series(0, t.partitions - 1) AS n
    WHERE t.topic = ANY (p_topics) ORDER BY 1, 2 ON CONFLICT DO NOTHING;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION event_bus.partition_of(p_key text, p_partitions integer)
RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT ((hashtextextended(p_key, 0) & 9223372036854775807) % p_partitions)::integer
$$;

-- Offsets are given out under the partition's lock, held to the commit: a reader of "offset >= committed" never meets a hole
-- that is filled later. The statement after the lock sees all that the last holder stored, and goes on from there, in the same
-- segment or a later one whatever the clock says. Listeners learn at the commit which partitions have something new.
CREATE OR REPLACE FUNCTION event_bus.publish(
  p_partitions integer, p_topics text[], p_types text[], p_ids uuid[], p_aggregates text[], p_seqs bigint[],
  p_times timestamptz[], p_payloads bytea[], p_headers text[]
) RETURNS integer LANGUAGE plpgsql ${INDEXED} AS $$
DECLARE current integer; stored integer; news text;
BEGIN
  PERFORM event_bus.ensure_topics(p_topics, p_partitions);
  PERFORM pg_advisory_xact_lock(l.key) FROM (
    SELECT DISTINCT hashtextextended(
      'reseller.event_bus/' || i.topic || '/' || event_bus.partition_of(i.aggregate_id, t.partitions), 0) AS key
    FROM unnest(p_topics, p_aggregates) AS i (topic, aggregate_id) JOIN event_bus.topic AS t ON t.topic = i.topic
    ORDER BY key) AS l;
  -- The oldest for a clock that went back to before it.
  SELECT coalesce(max(s.segment) FILTER (WHERE s.begins_at <= clock_timestamp()), min(s.segment)) INTO current
  FROM event_bus.segment AS s;
  WITH input AS (
    SELECT DISTINCT ON (i.topic, i.event_id) i.*, event_bus.partition_of(i.aggregate_id, t.partitions) AS partition
    FROM unnest(p_topics, p_types, p_ids, p_aggregates, p_seqs, p_times, p_payloads, p_headers) WITH ORDINALITY
      AS i (topic, type, event_id, aggregate_id, aggregate_seq, occurred_at, payload, headers, ord)
    JOIN event_bus.topic AS t ON t.topic = i.topic
    -- Who publishes again does so soon.
    WHERE NOT EXISTS (SELECT FROM event_bus.log AS e
                      WHERE e.event_id = i.event_id AND e.topic = i.topic AND e.segment >= current - 1)
    ORDER BY i.topic, i.event_id, i.ord
  ), place AS MATERIALIZED (
    SELECT p.topic, p.partition, greatest(b.next_offset, newest."offset" + 1) AS next, greatest(current, newest.segment) AS segment
    FROM (SELECT DISTINCT topic, partition FROM input) AS p
    JOIN event_bus.partition_base AS b ON b.topic = p.topic AND b.partition = p.partition
    LEFT JOIN LATERAL (
      SELECT e.segment, e."offset" FROM event_bus.log AS e WHERE e.topic = p.topic AND e.partition = p.partition
      ORDER BY e.segment DESC, e."offset" DESC LIMIT 1) AS newest ON true
  ), added AS (
    INSERT INTO event_bus.log (topic, partition, segment, "offset", event_id, type, aggregate_id, aggregate_seq, occurred_at,
                               payload, headers)
    SELECT i.topic, i.partition, p.segment,
           p.next + row_number() OVER (PARTITION BY i.topic, i.partition ORDER BY i.ord) - 1,
           i.event_id, i.type, i.aggregate_id, i.aggregate_seq, i.occurred_at, i.payload, i.headers::jsonb
    FROM input AS i JOIN place AS p ON p.topic = i.topic AND p.partition = i.partition
    RETURNING topic, partition
  )
  SELECT count(*), string_agg(DISTINCT topic || '/' || partition, ' ') INTO stored, news FROM added;
  -- Nothing named means anything may be new.
  IF stored > 0 THEN PERFORM pg_notify('event_bus', CASE WHEN octet_length(news) < 7900 THEN news ELSE '' END); END IF;
  RETURN stored;
END $$;
`;
