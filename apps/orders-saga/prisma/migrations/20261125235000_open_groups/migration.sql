-- Alone, since it is made without stopping writes. The groups that operators have to ship or deliver, oldest first: ids hold their time.
CREATE INDEX CONCURRENTLY IF NOT EXISTS fulfillment_groups_open ON fulfillment_groups (id) WHERE status IN ('Pending', 'Shipped');
