-- Invariant: orders = order_totals of one level + order_total_changes, always.
CREATE OR REPLACE FUNCTION note_orders_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes (partner_id, environment, product, hour, from_status, orders)
  SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
  FROM gone GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER orders_totals_deleted AFTER DELETE ON orders REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_orders_deleted();
