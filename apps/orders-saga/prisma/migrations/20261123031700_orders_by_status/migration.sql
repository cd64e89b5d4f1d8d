-- The same as orders_newest_of_status, in the order in which orders come: an order then goes behind those that are there, and fills pages, where
-- before it went in front of them and split one in two. Lists read it backwards.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_status ON orders (partner_id, environment, product, status, submitted_at, id);
