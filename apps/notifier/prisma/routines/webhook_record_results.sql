-- Bench row: webhook deliveries; up to 256 results are one round trip.
-- Records results, each under the lease it was claimed with and as the attempt that comes next: one that lost its lease, or
-- whose delivery was dropped, changes nothing. A status ends the delivery; without one the next attempt comes p_gap_ms after
-- the end of this one, p_ended_ms ago. Returns how many were recorded.
-- Both tables are mostly empty, and statistics say so when a backlog comes: to the planner, reading all of an index then costs no
-- more than finding one row by it. So each lease is compared in a way that no ordered reading of an index serves, and each
-- delivery is found as the first in the order of its key, which no other index has and nothing may sort, and changed at its place.
CREATE OR REPLACE FUNCTION webhook_record_results(
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
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET enable_bitmapscan = off
  SET enable_sort = off SET enable_incremental_sort = off SET plan_cache_mode = force_generic_plan AS $$
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
    WHERE w.subscription_id = ANY (ARRAY[g.subscription_id]) AND w.delivery_id = ANY (ARRAY[g.delivery_id]) AND w.token = g.token
    RETURNING g.*, v_now - g.ended_ms * interval '1 millisecond' AS ended_at
  ), timed AS MATERIALIZED (
    SELECT h.*, h.ended_at - h.duration_ms * interval '1 millisecond' AS attempted_at,
           jsonb_build_array(jsonb_build_object(
             'attemptNumber', h.attempt_number,
             'attemptedAt', to_char((h.ended_at - h.duration_ms * interval '1 millisecond') AT TIME ZONE 'UTC',
                                    'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
             'responseStatus', h.response_status,
             'durationMs', h.duration_ms,
             'errorSummary', h.error_summary)) AS attempt
    FROM held h
  ), found AS MATERIALIZED (
    SELECT t.*, p.place
    FROM timed t CROSS JOIN LATERAL (
      SELECT p.ctid AS place, p.attempts FROM webhook_pending_deliveries p
      WHERE p.id BETWEEN t.delivery_id AND t.delivery_id ORDER BY p.id LIMIT 1
    ) p
    WHERE jsonb_array_length(p.attempts) = t.attempt_number - 1
  ), retried AS (
    UPDATE webhook_pending_deliveries p
    SET attempts = p.attempts || f.attempt, next_attempt_at = f.ended_at + f.gap_ms * interval '1 millisecond'
    FROM found f WHERE p.ctid = f.place AND f.status IS NULL
    RETURNING f.subscription_id, f.attempted_at, f.error_summary
  ), ended AS (
    DELETE FROM webhook_pending_deliveries p USING found f WHERE p.ctid = f.place AND f.status IS NOT NULL
    RETURNING p.id, p.event_id, p.subscription_id, p.event_type, p.redelivery, f.status, p.attempts || f.attempt AS attempts,
              f.attempted_at, f.error_summary
  ), finished AS (
    INSERT INTO webhook_finished_deliveries (id, event_id, subscription_id, event_type, redelivery, status, attempts)
    SELECT e.id, e.event_id, e.subscription_id, e.event_type, e.redelivery, e.status, e.attempts FROM ended e
  ), counted AS (
    INSERT INTO webhook_delivery_minutes AS c (subscription_id, minute, day, event_type, status, n)
    SELECT e.subscription_id, date_trunc('minute', v_now), (uuidv7_time(e.id) AT TIME ZONE 'UTC')::date,
           e.event_type, e.status, count(*)
    FROM ended e GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT (subscription_id, minute, day, event_type, status) DO UPDATE SET n = c.n + excluded.n
  ), attempted AS (
    SELECT r.subscription_id, r.attempted_at, r.error_summary FROM retried r
    UNION ALL
    SELECT e.subscription_id, e.attempted_at, e.error_summary FROM ended e
  ), latest AS (
    SELECT DISTINCT ON (a.subscription_id) a.* FROM attempted a ORDER BY a.subscription_id, a.attempted_at DESC
  ), dated AS (
    INSERT INTO webhook_last_attempts AS m (subscription_id, minute, attempted_at, status)
    SELECT l.subscription_id, date_trunc('minute', l.attempted_at), l.attempted_at, coalesce(l.error_summary, 'Delivered')
    FROM latest l ORDER BY 1, 2
    ON CONFLICT (subscription_id, minute) DO UPDATE SET attempted_at = excluded.attempted_at, status = excluded.status
      WHERE m.attempted_at <= excluded.attempted_at
  )
  SELECT count(*) INTO v_recorded FROM attempted;
  RETURN v_recorded;
END;
$$;
