CREATE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_unlinked" ON "audit_entries" ("occurred_at", "id") WHERE "sequence" IS NULL;
