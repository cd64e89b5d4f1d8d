-- Invariant: a partner has at most 1,000 discount codes in an environment, however many are made at once (spec §14.4).
CREATE OR REPLACE FUNCTION count_discount_code() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO resource_counts AS c (partner_id, environment, discount_codes) VALUES (NEW.partner_id, NEW.environment, 1)
    ON CONFLICT (partner_id, environment) DO UPDATE SET discount_codes = c.discount_codes + 1;
  ELSE
    UPDATE resource_counts SET discount_codes = discount_codes - 1
    WHERE partner_id = OLD.partner_id AND environment = OLD.environment;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER discount_code_counted AFTER INSERT OR DELETE ON discount_codes
  FOR EACH ROW EXECUTE FUNCTION count_discount_code();
