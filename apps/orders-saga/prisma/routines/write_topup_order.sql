-- Version before: it writes a top-up's phone number beside its order, whose request has it already.
CREATE OR REPLACE FUNCTION write_topup_order() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    DELETE FROM topup_order_rows WHERE order_id = OLD.order_id;
    RETURN OLD;
  END IF;
  INSERT INTO topup_order_rows VALUES (NEW.order_id, NEW.phone_number);
  RETURN NEW;
END
$$;

CREATE OR REPLACE TRIGGER topup_orders_written INSTEAD OF INSERT OR DELETE ON topup_orders
  FOR EACH ROW EXECUTE FUNCTION write_topup_order();
