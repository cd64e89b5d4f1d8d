-- Invariant: an event is numbered within its aggregate in commit order, in its change's transaction.
-- Appends one event in the caller's transaction and returns its id. Without headers of its own it has those of the
-- transaction (reseller.headers), which is how triggers pass on what they never see.
-- safe: old callers may have it, it does the same for whoever sets nothing
CREATE OR REPLACE FUNCTION outbox_append(
  p_topic text,
  p_type text,
  p_aggregate_id text,
  p_payload bytea,
  p_headers jsonb DEFAULT '{}',
  p_event_id uuid DEFAULT NULL
) RETURNS uuid LANGUAGE sql AS $$
  WITH next AS (
    INSERT INTO outbox_aggregate AS a (aggregate_id, last_seq) VALUES (p_aggregate_id, 1)
    ON CONFLICT (aggregate_id) DO UPDATE SET last_seq = a.last_seq + 1
    RETURNING a.last_seq
  )
  INSERT INTO outbox (event_id, topic, type, aggregate_id, aggregate_seq, payload, headers, occurred_at)
  SELECT coalesce(p_event_id, uuidv7()), p_topic, p_type, p_aggregate_id, next.last_seq, p_payload,
         CASE WHEN coalesce(p_headers, '{}') <> '{}' THEN p_headers
              ELSE coalesce(nullif(current_setting('reseller.headers', true), ''), '{}')::jsonb END,
         clock_timestamp()
  FROM next
  RETURNING event_id;
$$;
