-- The same as orders_newest_of_all, in the order in which orders come: an order then goes behind those that are there, and fills pages, where
-- before it went in front of them and split one in two. Lists read it backwards.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_of_all ON orders (environment, submitted_at, id) WHERE amount >= 0;
