-- The outbox and the inbox of one service, copied into its first migration as they stand here.

-- Events that are committed with the change they tell of. A relay publishes them by state (published_at), never by a
-- cursor: ids commit out of order.
CREATE TABLE outbox (
  event_id uuid PRIMARY KEY,
  topic text NOT NULL,
  type text NOT NULL,
  aggregate_id text NOT NULL,
  aggregate_seq bigint NOT NULL,
  payload bytea NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  -- Since when it is set aside, and why the event bus refused it for good; no reason where it waits behind such a one.
  parked_at timestamptz,
  parked_reason text,
  CONSTRAINT outbox_aggregate_seq_key UNIQUE (aggregate_id, aggregate_seq)
-- It is marked as published soon after: with room for that on its page the log holds what changed of it only.
) WITH (fillfactor = 50);

-- What is still to be published, oldest first; it stays as small as the backlog.
CREATE INDEX outbox_oldest_idx ON outbox (occurred_at) WHERE published_at IS NULL;
CREATE INDEX outbox_published_at_idx ON outbox (published_at) WHERE published_at IS NOT NULL;

-- The last sequence of each aggregate. Its row lock is held to the end of the transaction, so numbers are given out in
-- commit order and without gaps.
CREATE TABLE outbox_aggregate (
  aggregate_id text PRIMARY KEY,
  last_seq bigint NOT NULL
) WITH (fillfactor = 50);

-- Appends one event in the caller's transaction and returns its id. Without headers of its own it has those of the
-- transaction (reseller.headers), which is how triggers pass on what they never see.
CREATE FUNCTION outbox_append(
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

-- Events whose effect a consumer has committed, and how often it has tried those it has not.
CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  handled_at timestamptz,
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_handled_at_idx ON inbox (handled_at) WHERE handled_at IS NOT NULL;
