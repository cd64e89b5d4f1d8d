-- Events whose effect a consumer has committed, and how often it has tried those it has not; as
-- libs/messaging/sql/messaging.sql has it. finance publishes nothing yet, so there is no outbox.
CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  handled_at timestamptz,
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_handled_at_idx ON inbox (handled_at) WHERE handled_at IS NOT NULL;
