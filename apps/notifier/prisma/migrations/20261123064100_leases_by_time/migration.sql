CREATE INDEX CONCURRENTLY IF NOT EXISTS "webhook_leases_until_idx" ON "webhook_leases"("subscription_id", "lease_until");
