-- Invariant: the orders of a partner, product and status = order_totals of one level + order_total_changes, whatever writes to orders.
-- By statement where orders come in batches; by row for updates, most of which change no status.
CREATE OR REPLACE FUNCTION note_order_totals() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  CASE TG_OP
    WHEN 'INSERT' THEN
      INSERT INTO order_total_changes (partner_id, environment, product, hour, to_status, orders)
      SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
      FROM made GROUP BY 1, 2, 3, 4, 5;
    WHEN 'DELETE' THEN
      INSERT INTO order_total_changes (partner_id, environment, product, hour, from_status, orders)
      SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
      FROM gone GROUP BY 1, 2, 3, 4, 5;
    WHEN 'TRUNCATE' THEN
      TRUNCATE order_total_changes, order_totals;
    WHEN 'UPDATE' THEN
      IF (OLD.partner_id, OLD.environment, OLD.product, OLD.submitted_at)
        = (NEW.partner_id, NEW.environment, NEW.product, NEW.submitted_at) THEN
        INSERT INTO order_total_changes (partner_id, environment, product, hour, from_status, to_status, orders)
        VALUES (NEW.partner_id, NEW.environment, NEW.product, order_span(0, NEW.submitted_at), OLD.status, NEW.status, 1);
      ELSE
        -- Nothing does this but a hand at psql.
        INSERT INTO order_total_changes (partner_id, environment, product, hour, from_status, to_status, orders)
        VALUES (OLD.partner_id, OLD.environment, OLD.product, order_span(0, OLD.submitted_at), OLD.status, NULL, 1),
          (NEW.partner_id, NEW.environment, NEW.product, order_span(0, NEW.submitted_at), NULL, NEW.status, 1);
      END IF;
  END CASE;
  RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER orders_totals_made AFTER INSERT ON orders REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_totals();
CREATE OR REPLACE TRIGGER orders_totals_deleted AFTER DELETE ON orders REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_totals();
CREATE OR REPLACE TRIGGER orders_totals_truncated AFTER TRUNCATE ON orders
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_totals();
CREATE OR REPLACE TRIGGER orders_totals_moved AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.status <> NEW.status OR OLD.submitted_at <> NEW.submitted_at OR OLD.partner_id <> NEW.partner_id
    OR OLD.environment <> NEW.environment OR OLD.product <> NEW.product)
  EXECUTE FUNCTION note_order_totals();
