-- Where a partner wants which events. The last delivery is written after every attempt, so pages keep room for it.
CREATE TABLE "webhook_subscriptions" (
    "id" UUID NOT NULL,
    "partner_id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "event_types" TEXT[] NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "secret_ciphertext" BYTEA NOT NULL,
    "secret_key_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "updated_at" TIMESTAMPTZ(6) NOT NULL DEFAULT clock_timestamp(),
    "last_delivery_at" TIMESTAMPTZ(6),
    "last_delivery_status" TEXT,

    CONSTRAINT "webhook_subscriptions_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "webhook_subscriptions_environment" CHECK (environment IN ('sandbox', 'live')),
    CONSTRAINT "webhook_subscriptions_event_types" CHECK (cardinality(event_types) >= 1),
    CONSTRAINT "webhook_subscriptions_last_delivery_status" CHECK (last_delivery_status IN
      ('Delivered', 'Timeout', 'Connection failed', 'Destination rejected', 'Delivery failed'))
) WITH (fillfactor = 50);

-- How many subscriptions a partner has in an environment. Its row is locked by whoever creates, resumes, pauses or deletes
-- one, so the limits are exact however many do so at once. Checks are looked at in the order of their names: who has
-- reached both limits is refused for the one of all.
CREATE TABLE "webhook_counts" (
    "partner_id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "active" INTEGER NOT NULL,
    "total" INTEGER NOT NULL,

    CONSTRAINT "webhook_counts_pkey" PRIMARY KEY ("partner_id","environment"),
    CONSTRAINT "webhook_limit" CHECK (total BETWEEN 0 AND 20),
    CONSTRAINT "webhook_limit_of_active" CHECK (active BETWEEN 0 AND 5)
);

CREATE INDEX "webhook_subscriptions_partner_idx" ON "webhook_subscriptions"("partner_id", "environment", "created_at" DESC, "id" DESC);
-- Whose active subscriptions want an event.
CREATE INDEX "webhook_subscriptions_active_idx" ON "webhook_subscriptions"("partner_id", "environment") WHERE is_active;

-- Webhook deliveries, from the event to the last attempt. Three kinds of tables:
--   webhook_events, webhook_finished_deliveries   append-only, a partition for each day, dropped when they are old;
--   webhook_pending_deliveries, webhook_leases    what is still to be sent and what is being sent: as small as that;
--   webhook_delivery_counts, webhook_redeliveries what lists and the limit of redeliveries need to know at once.
-- Ids are UUIDv7, so a day is a range of ids and a partition key needs no column of its own.

-- An event as partners receive it; body holds the exact bytes that every attempt signs and sends.
CREATE TABLE webhook_events (
  event_id uuid PRIMARY KEY,
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  event_type text NOT NULL,
  occurred_at timestamptz NOT NULL,
  order_global_id text,
  body bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The trace and the request id of the change: every attempt goes on with them, retries hours later too.
  headers jsonb NOT NULL DEFAULT '{}'
) PARTITION BY RANGE (event_id);
-- For the timeline of an order.
CREATE INDEX webhook_events_order_idx ON webhook_events (order_global_id) WHERE order_global_id IS NOT NULL;
-- Ids that are no UUIDv7 of these days; nothing else should come here.
-- safe: the table is made right here
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
-- safe: the table is made right here
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
