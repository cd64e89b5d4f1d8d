-- By which operators find an order whose partner chose its saga id (docs/adr/0040). One of ours holds the time of its order, whose key
-- serves it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_saga ON orders (saga_id) WHERE (request ->> 'sagaId') IS NOT NULL;
