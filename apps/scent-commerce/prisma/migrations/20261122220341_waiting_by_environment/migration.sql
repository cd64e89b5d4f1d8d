-- Who is to be notified next in an environment. The version before goes by back_in_stock_waiting_idx, which goes with it.
CREATE INDEX CONCURRENTLY IF NOT EXISTS back_in_stock_waiting_by_environment_idx
  ON back_in_stock_registrations (variant_id, environment, position) WHERE status = 'Active';
