-- What the role that notifier runs as may do; everything else is the owner's, who migrates (docs/platform/database-roles.md).
-- Written anew with the migrations. A table that is missing here cannot be used, and libs/database/test/grants.spec.ts fails.

-- Append-only: an event's body never changes. Whole days of events and finished deliveries go with their partition
-- (drop_webhook_partitions); rows go one by one only where a day had no partition in time.
GRANT SELECT, INSERT ON webhook_events TO :"runtime";
GRANT SELECT, INSERT ON webhook_finished_deliveries TO :"runtime";
GRANT SELECT, INSERT ON webhook_feed_events TO :"runtime";
GRANT SELECT, DELETE ON webhook_events_default, webhook_finished_deliveries_default TO :"runtime";

-- What is archived is recorded when it goes (drop_archived_partition), and never changes.
GRANT SELECT, INSERT ON archives TO :"runtime";

-- What was removed of a feed is recorded by drop_feed_partitions, and by nobody else.
GRANT SELECT, INSERT ON webhook_feeds TO :"runtime";

-- Change and stay.
GRANT SELECT, INSERT, UPDATE ON webhook_counts, webhook_partners TO :"runtime";

-- Go once they are over, or have had their time.
GRANT SELECT, INSERT, UPDATE, DELETE ON
  webhook_subscriptions, webhook_pending_deliveries, webhook_leases, webhook_last_attempts, webhook_redeliveries,
  webhook_diagnoses, webhook_delivery_counts, webhook_delivery_minutes, webhook_count_folds, dead_letters, idempotency_keys,
  replica_heartbeats
  TO :"runtime";

-- A view of pending and finished deliveries.
GRANT SELECT ON webhook_deliveries TO :"runtime";
