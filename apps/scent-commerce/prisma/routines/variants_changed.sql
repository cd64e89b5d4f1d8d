-- Bench row: catalog lists; keeps what their indexes and totals repeat of variants, however a variant is written.
CREATE OR REPLACE FUNCTION variants_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_more integer;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO variant_stocks (variant_id, sku, is_active) SELECT id, sku, is_active FROM now_is;
    v_more := (SELECT count(*) FROM now_is WHERE is_active);
  ELSE
    UPDATE variant_stocks t SET sku = n.sku, is_active = n.is_active FROM now_is n
    WHERE t.variant_id = n.id AND (t.sku, t.is_active) <> (n.sku, n.is_active);
    UPDATE variant_sales_totals t SET is_active = n.is_active FROM now_is n
    WHERE t.variant_id = n.id AND t.is_active <> n.is_active;
    v_more := (SELECT sum(n.is_active::int - o.is_active::int) FROM was o JOIN now_is n USING (id));
  END IF;
  UPDATE catalog_sizes SET active_variants = active_variants + v_more WHERE v_more <> 0;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER variants_inserted AFTER INSERT ON variants
  REFERENCING NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION variants_changed();
CREATE OR REPLACE TRIGGER variants_updated AFTER UPDATE ON variants
  REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION variants_changed();
