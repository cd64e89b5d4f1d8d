-- What retention of abandoned carts looks by.
CREATE INDEX CONCURRENTLY IF NOT EXISTS carts_abandoned ON carts (touched_at) WHERE status = 'Abandoned';
