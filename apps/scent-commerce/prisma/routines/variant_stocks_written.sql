-- Version before: its import command fills a new variant's stock through the view variant_stocks.
-- What it writes is on hand in both environments. A call of one of its routines that began before the migration and goes on after
-- it is undone as if the database had gone away for a moment: it is tried again, by the routines of now.
CREATE OR REPLACE FUNCTION variant_stocks_written() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.reserved <> OLD.reserved OR NEW.on_hand < OLD.on_hand THEN
    RAISE EXCEPTION 'stock is kept for each environment since this call began' USING ERRCODE = 'cannot_connect_now';
  END IF;
  UPDATE stock_levels SET on_hand = on_hand + NEW.on_hand - OLD.on_hand WHERE variant_id = NEW.variant_id;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER variant_stocks_written INSTEAD OF UPDATE ON variant_stocks
  FOR EACH ROW EXECUTE FUNCTION variant_stocks_written();
