CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "audit_entries_sequence_key" ON "audit_entries" ("sequence");
