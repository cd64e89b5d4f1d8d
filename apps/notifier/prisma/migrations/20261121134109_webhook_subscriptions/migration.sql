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
    CONSTRAINT "webhook_subscriptions_event_types" CHECK (cardinality(event_types) BETWEEN 1 AND 7),
    CONSTRAINT "webhook_subscriptions_last_delivery_status" CHECK (last_delivery_status IN
      ('Delivered', 'Timeout', 'Connection failed', 'Destination rejected', 'Delivery failed'))
) WITH (fillfactor = 50);

-- How many subscriptions of a partner are active in an environment. Its row is locked by whoever creates, resumes,
-- pauses or deletes one, so the limit is exact however many do so at once.
CREATE TABLE "active_webhook_counts" (
    "partner_id" UUID NOT NULL,
    "environment" TEXT NOT NULL,
    "active" INTEGER NOT NULL,

    CONSTRAINT "active_webhook_counts_pkey" PRIMARY KEY ("partner_id","environment"),
    CONSTRAINT "active_webhook_limit" CHECK (active BETWEEN 0 AND 5)
);

CREATE INDEX "webhook_subscriptions_partner_idx" ON "webhook_subscriptions"("partner_id", "environment", "created_at" DESC, "id" DESC);
-- Who is told of an event.
CREATE INDEX "webhook_subscriptions_active_idx" ON "webhook_subscriptions"("partner_id", "environment") WHERE is_active;

-- The one writer of active_webhook_counts.
CREATE FUNCTION count_active_webhook() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' AND NEW.is_active THEN
    INSERT INTO active_webhook_counts AS c (partner_id, environment, active)
    VALUES (NEW.partner_id, NEW.environment, 1)
    ON CONFLICT (partner_id, environment) DO UPDATE SET active = c.active + 1;
  ELSE
    UPDATE active_webhook_counts SET active = active - 1
    WHERE partner_id = OLD.partner_id AND environment = OLD.environment;
  END IF;
  RETURN NULL;
END;
$$;

CREATE TRIGGER webhook_created AFTER INSERT ON webhook_subscriptions
  FOR EACH ROW WHEN (NEW.is_active) EXECUTE FUNCTION count_active_webhook();
CREATE TRIGGER webhook_paused_or_resumed AFTER UPDATE OF is_active ON webhook_subscriptions
  FOR EACH ROW WHEN (OLD.is_active <> NEW.is_active) EXECUTE FUNCTION count_active_webhook();
CREATE TRIGGER webhook_deleted AFTER DELETE ON webhook_subscriptions
  FOR EACH ROW WHEN (OLD.is_active) EXECUTE FUNCTION count_active_webhook();
