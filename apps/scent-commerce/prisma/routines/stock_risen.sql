-- Invariant: whatever makes a variant that is on sale available again in an environment leaves one row for those who wait there, in its transaction (spec §6.10, §10.3).
-- Putting one with stock back on sale is such a rise. Whoever registers holds the stock row too: a registration is either
-- seen here, or made after the rise and for the next one. Where nobody waits there is nothing to do later.
CREATE OR REPLACE FUNCTION stock_risen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stock_rises (variant_id, environment, available, headers)
  SELECT NEW.variant_id, NEW.environment, NEW.on_hand - NEW.reserved,
    coalesce(nullif(current_setting('reseller.headers', true), ''), '{}')::jsonb
  WHERE EXISTS (
    SELECT FROM back_in_stock_registrations
    WHERE variant_id = NEW.variant_id AND environment = NEW.environment AND status = 'Active'
  );
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER stock_risen AFTER UPDATE OF on_hand, reserved, is_active ON stock_levels FOR EACH ROW
  WHEN (NEW.is_active AND NEW.on_hand > NEW.reserved AND NOT (OLD.is_active AND OLD.on_hand > OLD.reserved))
  EXECUTE FUNCTION stock_risen();
