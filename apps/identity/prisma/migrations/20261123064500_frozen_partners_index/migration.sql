-- Gateways fetch every second who is frozen (docs/adr/0035).
CREATE INDEX CONCURRENTLY IF NOT EXISTS "partners_frozen_idx" ON "partners" ("id") WHERE "is_frozen";
