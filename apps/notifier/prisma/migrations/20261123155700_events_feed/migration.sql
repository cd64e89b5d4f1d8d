-- The events feed (docs/adr/0044): what partners read by cursor, in the order in which it was taken in.

-- A feed is what one partner reads in one environment.
CREATE TABLE webhook_feeds (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  -- The last position that was removed; a cursor before it has missed something.
  dropped_to bigint NOT NULL DEFAULT 0,
  CONSTRAINT webhook_feeds_environment CHECK (environment IN ('sandbox', 'live')),
  CONSTRAINT webhook_feeds_partner_key UNIQUE (partner_id, environment)
);

-- An event's place in its feed. A position is the moment it was given, in microseconds since 1970, or one more than the last of
-- its feed; webhook_take_events alone gives them, one transaction of a feed after the other. Append-only, a partition for each day.
CREATE TABLE webhook_feed_events (
  feed_id integer NOT NULL,
  position bigint NOT NULL,
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  CONSTRAINT webhook_feed_events_pkey PRIMARY KEY (feed_id, position)
) PARTITION BY RANGE (position);
-- For days that had no partition in time.
-- safe: the table is made right here
CREATE TABLE webhook_feed_events_default PARTITION OF webhook_feed_events DEFAULT;

-- Null for a test-fire, which is no public event, and for what came before there was a feed.
ALTER TABLE webhook_events ADD COLUMN position bigint;
