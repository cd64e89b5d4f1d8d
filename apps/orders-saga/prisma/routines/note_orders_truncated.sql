-- Invariant: orders = order_totals of one level + order_total_changes, always.
CREATE OR REPLACE FUNCTION note_orders_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE order_total_changes, order_totals;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER orders_totals_truncated AFTER TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION note_orders_truncated();
