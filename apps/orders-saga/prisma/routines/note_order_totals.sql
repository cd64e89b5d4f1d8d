-- Invariant: the orders of a partner, product and status = order_totals of one level + order_total_changes, whatever writes to orders.
-- By statement: orders are made and moved in batches, and those of one partner share a row.
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
      TRUNCATE order_total_changes, order_totals, hour_amounts;
    WHEN 'UPDATE' THEN
      INSERT INTO order_total_changes (partner_id, environment, product, hour, from_status, to_status, orders)
      SELECT change.partner_id, change.environment, change.product, order_span(0, change.submitted_at), change.from_status,
        change.to_status, count(*)
      FROM gone JOIN made USING (id), LATERAL (
        SELECT made.partner_id, made.environment, made.product, made.submitted_at, gone.status, made.status
        WHERE gone.status <> made.status AND (gone.partner_id, gone.environment, gone.product, gone.submitted_at)
          = (made.partner_id, made.environment, made.product, made.submitted_at)
        UNION ALL
        -- Nothing does this but a hand at psql.
        SELECT side.* FROM (VALUES
          (gone.partner_id, gone.environment, gone.product, gone.submitted_at, gone.status, NULL),
          (made.partner_id, made.environment, made.product, made.submitted_at, NULL, made.status)) AS side
        WHERE (gone.partner_id, gone.environment, gone.product, gone.submitted_at)
          <> (made.partner_id, made.environment, made.product, made.submitted_at)
      ) AS change (partner_id, environment, product, submitted_at, from_status, to_status)
      GROUP BY 1, 2, 3, 4, 5, 6;
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
CREATE OR REPLACE TRIGGER orders_totals_moved AFTER UPDATE ON orders REFERENCING OLD TABLE AS gone NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION note_order_totals();
