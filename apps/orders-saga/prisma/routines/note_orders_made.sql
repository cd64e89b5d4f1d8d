-- Invariant: orders = order_totals of one level + order_total_changes, always.
-- By statement, for orders come in batches.
CREATE OR REPLACE FUNCTION note_orders_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes (partner_id, environment, product, hour, to_status, orders)
  SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
  FROM made GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER orders_totals_made AFTER INSERT ON orders REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION note_orders_made();
