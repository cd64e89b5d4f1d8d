-- And which credentials were revoked lately (docs/adr/0035).
CREATE INDEX CONCURRENTLY IF NOT EXISTS "credentials_revoked_at_idx" ON "credentials" ("revoked_at") WHERE "revoked_at" IS NOT NULL;
