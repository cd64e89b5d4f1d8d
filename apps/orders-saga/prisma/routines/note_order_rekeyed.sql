-- Invariant: orders = order_totals of one level + order_total_changes, always.
-- None of these ever changes; were a hand at psql to change one, the totals would follow. With the row above it adds up,
-- whether the status changes too or not.
CREATE OR REPLACE FUNCTION note_order_rekeyed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes VALUES
    (OLD.partner_id, OLD.environment, OLD.product, order_span(0, OLD.submitted_at), OLD.status, NULL, 1),
    (NEW.partner_id, NEW.environment, NEW.product, order_span(0, NEW.submitted_at), NULL, OLD.status, 1);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER orders_totals_rekeyed AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.submitted_at <> NEW.submitted_at OR OLD.partner_id <> NEW.partner_id OR OLD.environment <> NEW.environment
    OR OLD.product <> NEW.product)
  EXECUTE FUNCTION note_order_rekeyed();
