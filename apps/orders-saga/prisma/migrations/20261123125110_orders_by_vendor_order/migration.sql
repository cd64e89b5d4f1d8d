-- By which operators find what a vendor speaks of (docs/adr/0040); as orders_by_phone.
CREATE INDEX CONCURRENTLY IF NOT EXISTS orders_by_vendor_order ON orders (vendor_order_id)
  WHERE vendor_order_id IS NOT NULL AND status NOT IN ('Pending', 'Processing');
