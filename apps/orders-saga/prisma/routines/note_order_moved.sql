-- Invariant: orders = order_totals of one level + order_total_changes, always.
-- By row, for most updates change no status.
CREATE OR REPLACE FUNCTION note_order_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes VALUES (NEW.partner_id, NEW.environment, NEW.product, order_span(0, NEW.submitted_at),
    OLD.status, NEW.status, 1);
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER orders_totals_moved AFTER UPDATE ON orders FOR EACH ROW WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION note_order_moved();
