-- How many deliveries ended in each minute, until they are added to webhook_delivery_counts. A row of that by itself would change with
-- every batch of results, and each change leave a dead version to be read past for as long as a snapshot is held somewhere.
CREATE TABLE "webhook_delivery_minutes" (
    "subscription_id" UUID NOT NULL,
    "minute" TIMESTAMPTZ(6) NOT NULL,
    "day" DATE NOT NULL,
    "event_type" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "n" BIGINT NOT NULL,

    CONSTRAINT "webhook_delivery_minutes_pkey" PRIMARY KEY ("subscription_id","minute","day","event_type","status")
) WITH (fillfactor = 50);
-- For what is to be added up.
CREATE INDEX "webhook_delivery_minutes_minute_idx" ON "webhook_delivery_minutes"("minute");

-- The minutes before it are in webhook_delivery_counts; the last one counts. Rows are added and never changed, so that the last is found at
-- once whatever snapshot is held.
CREATE TABLE "webhook_count_folds" (
    "upto" TIMESTAMPTZ(6) NOT NULL,

    CONSTRAINT "webhook_count_folds_pkey" PRIMARY KEY ("upto")
);
