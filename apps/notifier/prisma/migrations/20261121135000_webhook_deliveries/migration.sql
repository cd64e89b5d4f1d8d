-- Webhook deliveries, from the event to the last attempt. Three kinds of tables:
--   webhook_events, webhook_finished_deliveries   append-only, a partition for each day, dropped when they are old;
--   webhook_pending_deliveries, webhook_leases    what is still to be sent and what is being sent: as small as that;
--   webhook_delivery_counts, webhook_redeliveries what lists and the limit of redeliveries need to know at once.
-- Ids are UUIDv7, so a day is a range of ids and a partition key needs no column of its own.

-- The first UUIDv7 of a moment, as the bound of a range of ids.
CREATE FUNCTION webhook_uuid_at(p_at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (lpad(to_hex(floor(extract(epoch FROM p_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

-- An event as partners are told of it; body holds the exact bytes that every attempt signs and sends.
CREATE TABLE webhook_events (
  event_id uuid PRIMARY KEY,
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  event_type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  order_global_id text,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
) PARTITION BY RANGE (event_id);
-- For the timeline of an order.
CREATE INDEX webhook_events_order_idx ON webhook_events (order_global_id) WHERE order_global_id IS NOT NULL;
-- Ids that are no UUIDv7 of these days; nothing else should come here.
CREATE TABLE webhook_events_default PARTITION OF webhook_events DEFAULT;

-- Deliveries whose next attempt is due, under way, in the future, or waits for a paused subscription.
CREATE TABLE webhook_pending_deliveries (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  event_id uuid NOT NULL,
  subscription_id uuid NOT NULL REFERENCES webhook_subscriptions ON DELETE CASCADE,
  event_type text NOT NULL,
  -- 0 for the delivery that the event itself brought, then 1, 2, … for each time it was sent again.
  redelivery integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- What was tried so far, as { attemptNumber, attemptedAt, responseStatus, durationMs, errorSummary }.
  attempts jsonb NOT NULL DEFAULT '[]',
  CONSTRAINT webhook_pending_deliveries_once UNIQUE (event_id, subscription_id, redelivery),
  CONSTRAINT webhook_pending_deliveries_attempts CHECK (jsonb_array_length(attempts) < 8)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
-- The order of sending within a subscription; the claim hops from subscription to subscription along it.
CREATE INDEX webhook_pending_deliveries_due_idx ON webhook_pending_deliveries (subscription_id, next_attempt_at, id);
CREATE INDEX webhook_pending_deliveries_list_idx ON webhook_pending_deliveries (subscription_id, id);

-- The attempts under way, over all instances: a row counts until it is deleted with its result, or its time is up.
CREATE TABLE webhook_leases (
  subscription_id uuid NOT NULL,
  delivery_id uuid NOT NULL,
  -- Fresh with each claim: a result that comes too late finds another one and changes nothing.
  token uuid NOT NULL,
  lease_until timestamptz NOT NULL,
  PRIMARY KEY (subscription_id, delivery_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);

-- Deliveries that ended, with every attempt; tests too. Never updated.
CREATE TABLE webhook_finished_deliveries (
  id uuid PRIMARY KEY,
  event_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  event_type text NOT NULL,
  redelivery integer NOT NULL DEFAULT 0,
  is_test boolean NOT NULL DEFAULT false,
  status text NOT NULL,
  attempts jsonb NOT NULL,
  CONSTRAINT webhook_finished_deliveries_status CHECK (status IN ('Delivered', 'DeadLettered')),
  CONSTRAINT webhook_finished_deliveries_attempts CHECK (jsonb_array_length(attempts) BETWEEN 1 AND 8)
) PARTITION BY RANGE (id);
CREATE INDEX webhook_finished_deliveries_list_idx ON webhook_finished_deliveries (subscription_id, id);
CREATE INDEX webhook_finished_deliveries_event_idx ON webhook_finished_deliveries (event_id);
-- For the operators' list of dead letters.
CREATE INDEX webhook_finished_deliveries_dead_idx ON webhook_finished_deliveries (id) WHERE status = 'DeadLettered';
CREATE TABLE webhook_finished_deliveries_default PARTITION OF webhook_finished_deliveries DEFAULT;

-- How many finished deliveries there are of each kind, by the UTC day they were made on: totals of lists without a scan.
CREATE TABLE webhook_delivery_counts (
  subscription_id uuid NOT NULL,
  day date NOT NULL,
  event_type text NOT NULL,
  status text NOT NULL,
  n bigint NOT NULL,
  PRIMARY KEY (subscription_id, day, event_type, status)
) WITH (fillfactor = 50);
CREATE INDEX webhook_delivery_counts_day_idx ON webhook_delivery_counts (day);

-- When an event was last sent again to a subscription, and how often.
CREATE TABLE webhook_redeliveries (
  event_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  times integer NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (event_id, subscription_id)
);
CREATE INDEX webhook_redeliveries_last_at_idx ON webhook_redeliveries (last_at);

-- For people who look into the database.
CREATE VIEW webhook_deliveries AS
  SELECT id, event_id, subscription_id, event_type, redelivery, false AS is_test, 'Pending' AS status, attempts,
         next_attempt_at
  FROM webhook_pending_deliveries
  UNION ALL
  SELECT id, event_id, subscription_id, event_type, redelivery, is_test, status, attempts, NULL
  FROM webhook_finished_deliveries;

-- The UTC day on which an id was made.
CREATE FUNCTION webhook_day_of(p_id uuid) RETURNS date LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT (uuid_extract_timestamp(p_id) AT TIME ZONE 'UTC')::date
$$;

-- Makes the partitions of yesterday and of so many days to come; those that are there already stay.
CREATE FUNCTION webhook_make_partitions(p_days_ahead integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_table text;
  v_name text;
  v_day timestamptz;
  v_made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(7700002);
  FOREACH v_table IN ARRAY ARRAY['webhook_events', 'webhook_finished_deliveries'] LOOP
    FOR i IN -1..p_days_ahead LOOP
      v_day := date_trunc('day', clock_timestamp(), 'UTC') + i * interval '24 hours';
      v_name := v_table || to_char(v_day AT TIME ZONE 'UTC', '_YYYYMMDD');
      CONTINUE WHEN to_regclass(v_name) IS NOT NULL;
      BEGIN
        EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', v_name, v_table,
                       webhook_uuid_at(v_day), webhook_uuid_at(v_day + interval '24 hours'));
        v_made := v_made + 1;
      EXCEPTION WHEN check_violation THEN
        -- Rows of that day lie in the default partition, because nobody made this one in time. They are fine there.
        RAISE WARNING '% has rows of % in its default partition', v_table, v_day;
      END;
    END LOOP;
  END LOOP;
  RETURN v_made;
END;
$$;

-- Drops what is older than so many whole days: deliveries and their counts, and, after the days a delivery may still
-- need them, events. What was never sent (its subscription stayed paused) goes too. Answers how many partitions went.
CREATE FUNCTION webhook_drop_old(p_keep_days integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  v_table text;
  v_partition text;
  v_keep integer;
  v_from date;
  v_dropped integer := 0;
  v_today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
BEGIN
  PERFORM pg_advisory_xact_lock(7700002);
  -- A drop waits for whoever reads the table, and everybody else would wait behind it.
  PERFORM set_config('lock_timeout', '2s', true);
  FOREACH v_table IN ARRAY ARRAY['webhook_events', 'webhook_finished_deliveries'] LOOP
    v_keep := CASE v_table WHEN 'webhook_events' THEN 2 * p_keep_days + 2 ELSE p_keep_days END;
    v_from := v_today - v_keep;
    FOR v_partition IN
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = v_table::regclass AND c.relname ~ '_\d{8}$'
        AND to_date(right(c.relname, 8), 'YYYYMMDD') < v_from
      ORDER BY c.relname
    LOOP
      EXECUTE format('DROP TABLE %I', v_partition);
      v_dropped := v_dropped + 1;
    END LOOP;
  END LOOP;
  DELETE FROM webhook_events_default WHERE created_at < (v_today - 2 * p_keep_days - 2);
  DELETE FROM webhook_finished_deliveries_default WHERE id < webhook_uuid_at((v_today - p_keep_days)::timestamp AT TIME ZONE 'UTC');
  DELETE FROM webhook_delivery_counts WHERE day < v_today - p_keep_days;
  DELETE FROM webhook_pending_deliveries
    WHERE id < webhook_uuid_at((v_today - p_keep_days)::timestamp AT TIME ZONE 'UTC');
  DELETE FROM webhook_redeliveries WHERE last_at < clock_timestamp() - make_interval(days => 2 * p_keep_days + 2);
  DELETE FROM webhook_leases WHERE lease_until < clock_timestamp() - interval '1 hour';
  RETURN v_dropped;
END;
$$;

SELECT webhook_make_partitions(14);

-- Stores events and makes a delivery for each active subscription that wants one; an event that is known already is
-- left out with its deliveries, so repeating a batch changes nothing. Answers how many deliveries were made.
CREATE FUNCTION webhook_add_events(
  p_event_ids uuid[],
  p_partner_ids uuid[],
  p_environments text[],
  p_event_types text[],
  p_occurred_ats timestamptz[],
  p_order_global_ids text[],
  p_bodies bytea[]
) RETURNS integer LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_made integer;
BEGIN
  WITH added AS (
    INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, order_global_id, body)
    SELECT * FROM unnest(p_event_ids, p_partner_ids, p_environments, p_event_types, p_occurred_ats,
                         p_order_global_ids, p_bodies)
    ON CONFLICT (event_id) DO NOTHING
    RETURNING event_id, partner_id, environment, event_type
  )
  INSERT INTO webhook_pending_deliveries (event_id, subscription_id, event_type)
  SELECT a.event_id, s.id, a.event_type
  FROM added a
  JOIN webhook_subscriptions s
    ON s.partner_id = a.partner_id AND s.environment = a.environment AND s.is_active
   AND a.event_type = ANY (s.event_types);
  GET DIAGNOSTICS v_made = ROW_COUNT;
  RETURN v_made;
END;
$$;

-- Takes up to p_limit due deliveries, at most p_cap at a time of one subscription over all instances, and leases them.
-- Claims run one after another (they take milliseconds), each on a snapshot that shows all leases before it: so the cap
-- is exact. Subscriptions are found by hopping along the due index and read from their head only, so a long backlog of
-- one costs the others nothing; those with the fewest attempts under way come first.
CREATE FUNCTION webhook_claim(p_limit integer, p_cap integer, p_lease_ms integer)
RETURNS TABLE (
  delivery_id uuid, subscription_id uuid, event_id uuid, event_type text, attempts_made integer, token uuid,
  lease_ms integer, url text, secret_ciphertext bytea, secret_key_id text, body bytea
) LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz;
  v_token uuid := gen_random_uuid();
BEGIN
  PERFORM pg_advisory_xact_lock(7700001);
  v_now := clock_timestamp();
  RETURN QUERY
  WITH RECURSIVE lane AS (
    (SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p
     ORDER BY p.subscription_id, p.next_attempt_at LIMIT 1)
    UNION ALL
    SELECT n.subscription_id, n.next_attempt_at
    FROM lane l CROSS JOIN LATERAL (
      SELECT p.subscription_id, p.next_attempt_at FROM webhook_pending_deliveries p
      WHERE p.subscription_id > l.subscription_id
      ORDER BY p.subscription_id, p.next_attempt_at LIMIT 1
    ) n
  ), open_lane AS MATERIALIZED (
    SELECT s.id, s.url, s.secret_ciphertext, s.secret_key_id, f.in_flight
    FROM lane l
    JOIN webhook_subscriptions s ON s.id = l.subscription_id
    CROSS JOIN LATERAL (
      SELECT count(*)::integer AS in_flight FROM webhook_leases w
      WHERE w.subscription_id = l.subscription_id AND w.lease_until > v_now
    ) f
    WHERE l.next_attempt_at <= v_now AND s.is_active AND f.in_flight < p_cap
  ), due AS MATERIALIZED (
    SELECT o.id AS subscription_id, o.url, o.secret_ciphertext, o.secret_key_id,
           d.id, d.event_id, d.event_type, d.attempts_made
    FROM open_lane o CROSS JOIN LATERAL (
      SELECT p.id, p.event_id, p.event_type, jsonb_array_length(p.attempts) AS attempts_made, p.next_attempt_at,
             o.in_flight + row_number() OVER (ORDER BY p.next_attempt_at, p.id) AS turn
      FROM webhook_pending_deliveries p
      WHERE p.subscription_id = o.id AND p.next_attempt_at <= v_now
        AND NOT EXISTS (SELECT 1 FROM webhook_leases w
                        WHERE w.subscription_id = o.id AND w.delivery_id = p.id AND w.lease_until > v_now)
      ORDER BY p.next_attempt_at, p.id LIMIT p_cap - o.in_flight
    ) d
    ORDER BY d.turn, d.next_attempt_at LIMIT p_limit
  ), leased AS (
    INSERT INTO webhook_leases AS w (subscription_id, delivery_id, token, lease_until)
    SELECT d.subscription_id, d.id, v_token, v_now + p_lease_ms * interval '1 millisecond' FROM due d
    ON CONFLICT (subscription_id, delivery_id)
      DO UPDATE SET token = excluded.token, lease_until = excluded.lease_until
  )
  SELECT d.id, d.subscription_id, d.event_id, d.event_type, d.attempts_made, v_token, p_lease_ms, d.url,
         d.secret_ciphertext, d.secret_key_id, (SELECT e.body FROM webhook_events e WHERE e.event_id = d.event_id)
  FROM due d;
END;
$$;

-- Records results, each under the lease it was claimed with and as the attempt that comes next: one that lost its lease,
-- or whose delivery was dropped, changes nothing. A status ends the delivery; without one the next attempt comes
-- p_gap_ms after the end of this one, p_ended_ms ago. Answers how many were recorded.
CREATE FUNCTION webhook_record_results(
  p_delivery_ids uuid[],
  p_subscription_ids uuid[],
  p_tokens uuid[],
  p_attempt_numbers integer[],
  p_statuses text[],
  p_gaps_ms bigint[],
  p_ended_ms integer[],
  p_durations_ms integer[],
  p_response_statuses integer[],
  p_error_summaries text[]
) RETURNS integer LANGUAGE plpgsql
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  v_now timestamptz := clock_timestamp();
  v_recorded integer;
BEGIN
  WITH given AS (
    SELECT * FROM unnest(p_delivery_ids, p_subscription_ids, p_tokens, p_attempt_numbers, p_statuses, p_gaps_ms,
                         p_ended_ms, p_durations_ms, p_response_statuses, p_error_summaries)
      AS g (delivery_id, subscription_id, token, attempt_number, status, gap_ms, ended_ms, duration_ms, response_status,
            error_summary)
  ), held AS MATERIALIZED (
    DELETE FROM webhook_leases w USING given g
    WHERE w.subscription_id = g.subscription_id AND w.delivery_id = g.delivery_id AND w.token = g.token
    RETURNING g.*, v_now - g.ended_ms * interval '1 millisecond' AS ended_at
  ), told AS MATERIALIZED (
    SELECT h.*, h.ended_at - h.duration_ms * interval '1 millisecond' AS attempted_at,
           jsonb_build_array(jsonb_build_object(
             'attemptNumber', h.attempt_number,
             'attemptedAt', to_char((h.ended_at - h.duration_ms * interval '1 millisecond') AT TIME ZONE 'UTC',
                                    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'responseStatus', h.response_status,
             'durationMs', h.duration_ms,
             'errorSummary', h.error_summary)) AS attempt
    FROM held h
  ), retried AS (
    UPDATE webhook_pending_deliveries p
    SET attempts = p.attempts || t.attempt, next_attempt_at = t.ended_at + t.gap_ms * interval '1 millisecond'
    FROM told t
    WHERE p.id = t.delivery_id AND t.status IS NULL AND jsonb_array_length(p.attempts) = t.attempt_number - 1
    RETURNING t.subscription_id, t.attempted_at, t.error_summary
  ), ended AS (
    DELETE FROM webhook_pending_deliveries p USING told t
    WHERE p.id = t.delivery_id AND t.status IS NOT NULL AND jsonb_array_length(p.attempts) = t.attempt_number - 1
    RETURNING p.id, p.event_id, p.subscription_id, p.event_type, p.redelivery, t.status, p.attempts || t.attempt AS attempts,
              t.attempted_at, t.error_summary
  ), finished AS (
    INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, redelivery, status, attempts)
    SELECT e.id, e.event_id, e.subscription_id, e.event_type, e.redelivery, e.status, e.attempts FROM ended e
  ), counted AS (
    INSERT INTO webhook_delivery_counts AS c (subscription_id, day, event_type, status, n)
    SELECT e.subscription_id, webhook_day_of(e.id), e.event_type, e.status, count(*)
    FROM ended e GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (subscription_id, day, event_type, status) DO UPDATE SET n = c.n + excluded.n
  ), attempted AS (
    SELECT r.subscription_id, r.attempted_at, r.error_summary FROM retried r
    UNION ALL
    SELECT e.subscription_id, e.attempted_at, e.error_summary FROM ended e
  ), latest AS (
    SELECT DISTINCT ON (a.subscription_id) a.* FROM attempted a ORDER BY a.subscription_id, a.attempted_at DESC
  ), shown AS (
    UPDATE webhook_subscriptions s
    SET last_delivery_at = l.attempted_at, last_delivery_status = coalesce(l.error_summary, 'Delivered')
    FROM latest l
    WHERE s.id = l.subscription_id AND (s.last_delivery_at IS NULL OR s.last_delivery_at <= l.attempted_at)
  )
  SELECT count(*) INTO v_recorded FROM attempted;
  RETURN v_recorded;
END;
$$;
