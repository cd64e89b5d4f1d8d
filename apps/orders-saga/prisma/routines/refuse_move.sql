-- Invariant: orders, fulfillment groups and return requests make only the moves of spec §4.4, §7.3 and §8.2, whatever writes to them.
-- The conditions are all that an allowed write costs: the function runs only to refuse.
CREATE OR REPLACE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % cannot be % when it is %', coalesce(NEW.id, OLD.id), TG_TABLE_NAME,
    CASE TG_OP WHEN 'DELETE' THEN 'deleted' ELSE NEW.status END, coalesce(OLD.status, 'new')
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_moves', TABLE = TG_TABLE_NAME;
END
$$;

-- An order is of a known product for good, begins as Pending, and is taken back before a vendor was asked only (spec §4.2).
CREATE OR REPLACE TRIGGER orders_moves BEFORE UPDATE OF status, product ON orders FOR EACH ROW
  WHEN (OLD.product <> NEW.product
    OR (OLD.status <> NEW.status AND NOT may_move(OLD.product, OLD.status, NEW.status)))
  EXECUTE FUNCTION refuse_move();
CREATE OR REPLACE TRIGGER orders_first_status BEFORE INSERT ON orders FOR EACH ROW
  WHEN (NOT may_move(NEW.product, 'new', NEW.status))
  EXECUTE FUNCTION refuse_move();
CREATE OR REPLACE TRIGGER orders_withdrawal BEFORE DELETE ON orders FOR EACH ROW
  WHEN (OLD.status <> 'Pending')
  EXECUTE FUNCTION refuse_move();

CREATE OR REPLACE TRIGGER fulfillment_groups_moves BEFORE UPDATE OF status ON fulfillment_groups FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('FulfillmentGroup', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();

CREATE OR REPLACE TRIGGER return_requests_moves BEFORE UPDATE OF status ON return_requests FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT may_move('ReturnRequest', OLD.status, NEW.status))
  EXECUTE FUNCTION refuse_move();
