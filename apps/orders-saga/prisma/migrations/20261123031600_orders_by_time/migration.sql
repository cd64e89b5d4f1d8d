-- The same as orders_newest, in the order in which orders come: an order then goes behind those that are there, and fills pages, where
-- before it went in front of them and split one in two. Lists read it backwards.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_time ON orders (partner_id, environment, product, submitted_at, id);
