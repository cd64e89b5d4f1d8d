-- What retention of registrations that are notified or cancelled looks by.
CREATE INDEX CONCURRENTLY IF NOT EXISTS back_in_stock_ended_idx ON back_in_stock_registrations (created_at)
  WHERE status <> 'Active';
