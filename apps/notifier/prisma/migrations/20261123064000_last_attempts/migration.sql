-- The last attempt of a subscription in each minute that had any, and so the last of all. Not a column of the subscription:
-- its row is read by every claim and every event, and each change would leave a dead version to be read past for as long as
-- a snapshot is held somewhere (docs/adr/0033).
CREATE TABLE "webhook_last_attempts" (
    "subscription_id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(6) NOT NULL,
    "attempted_at" TIMESTAMPTZ(6) NOT NULL,
    "status" TEXT NOT NULL,

    CONSTRAINT "webhook_last_attempts_pkey" PRIMARY KEY ("subscription_id","minute"),
    CONSTRAINT "webhook_last_attempts_status" CHECK (status IN
      ('Delivered', 'Timeout', 'Connection failed', 'Destination rejected', 'Delivery failed'))
) WITH (fillfactor = 50);
-- For what is past its time.
CREATE INDEX "webhook_last_attempts_minute_idx" ON "webhook_last_attempts"("minute");
