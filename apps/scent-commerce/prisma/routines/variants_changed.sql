-- Bench row: catalog lists; keeps what their indexes and totals repeat of variants, however a variant is written.
-- Rows of several variants are locked in the order of their ids, as by whoever counts or forgets sales.
CREATE OR REPLACE FUNCTION variants_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_more integer;
  v_turned uuid[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO stock_levels (variant_id, environment, sku, is_active)
    SELECT id, environment, sku, is_active FROM now_is CROSS JOIN (VALUES ('live'), ('sandbox')) AS e (environment);
    v_more := (SELECT count(*) FROM now_is WHERE is_active);
  ELSE
    SELECT array_agg(n.id), sum(n.is_active::int - o.is_active::int) INTO v_turned, v_more
    FROM was o JOIN now_is n USING (id) WHERE (o.sku, o.is_active) <> (n.sku, n.is_active);
    IF v_turned IS NULL THEN
      RETURN NULL;
    END IF;
    PERFORM FROM stock_levels WHERE variant_id = ANY (v_turned) ORDER BY variant_id, environment FOR NO KEY UPDATE;
    UPDATE stock_levels t SET sku = n.sku, is_active = n.is_active FROM now_is n WHERE t.variant_id = n.id AND n.id = ANY (v_turned);
    PERFORM FROM sales_totals WHERE variant_id = ANY (v_turned) ORDER BY variant_id, environment FOR NO KEY UPDATE;
    UPDATE sales_totals t SET is_active = n.is_active FROM now_is n WHERE t.variant_id = n.id AND n.id = ANY (v_turned);
  END IF;
  UPDATE catalog_sizes SET active_variants = active_variants + v_more WHERE v_more <> 0;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER variants_inserted AFTER INSERT ON variants
  REFERENCING NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION variants_changed();
CREATE OR REPLACE TRIGGER variants_updated AFTER UPDATE ON variants
  REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION variants_changed();
