-- Of all partners: amounts may be 0 now, and what these indexes are kept apart by must hold for every order.
DROP INDEX orders_newest_of_all, orders_newest_of_all_status;
CREATE INDEX orders_newest_of_all ON orders (environment, submitted_at DESC, id DESC) WHERE amount >= 0;
CREATE INDEX orders_newest_of_all_status ON orders (environment, status, submitted_at DESC, id DESC)
  WHERE amount >= 0 AND status <> 'Completed';
DO $$
BEGIN
  EXECUTE replace(pg_get_functiondef('list_orders'::regproc), 'amount > 0', 'amount >= 0');
END
$$;
