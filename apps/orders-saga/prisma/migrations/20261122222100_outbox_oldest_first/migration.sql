-- Relays publish oldest first; outbox_unpublished_idx stays for those of the version before (docs/adr/0023).
CREATE INDEX CONCURRENTLY IF NOT EXISTS outbox_oldest_idx ON outbox (occurred_at) WHERE published_at IS NULL;
