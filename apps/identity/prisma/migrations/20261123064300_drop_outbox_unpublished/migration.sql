-- Relays of the version before publish oldest first already (outbox_oldest_idx), so nothing reads it any more.
DROP INDEX CONCURRENTLY IF EXISTS outbox_unpublished_idx;
