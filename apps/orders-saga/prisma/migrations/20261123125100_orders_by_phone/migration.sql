-- By which operators find top-ups (docs/adr/0040). Without those under way, which their sagas lead to: an order then adds one entry, when it
-- ends, and not one with each of its moves.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_phone ON orders ((request ->> 'phoneNumber'))
  WHERE product = 'Topup' AND status NOT IN ('Pending', 'Processing');
