-- Invariant: an order makes only the moves of order_may_move, is born Pending and keeps its product.
CREATE OR REPLACE FUNCTION refuse_order_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'order % cannot be % when it is %', coalesce(NEW.id, OLD.id),
    CASE TG_OP WHEN 'DELETE' THEN 'deleted' ELSE NEW.status END, coalesce(OLD.status, 'new')
    USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_moves', TABLE = 'orders';
END
$$;

CREATE OR REPLACE TRIGGER orders_moves BEFORE UPDATE OF status, product ON orders FOR EACH ROW
  WHEN (OLD.product <> NEW.product
    OR (OLD.status <> NEW.status AND NOT order_may_move(OLD.product, OLD.status, NEW.status)))
  EXECUTE FUNCTION refuse_order_move();

CREATE OR REPLACE TRIGGER orders_first_status BEFORE INSERT ON orders FOR EACH ROW
  WHEN (NEW.status <> 'Pending')
  EXECUTE FUNCTION refuse_order_move();

CREATE OR REPLACE TRIGGER orders_withdrawal BEFORE DELETE ON orders FOR EACH ROW
  WHEN (OLD.status <> 'Pending')
  EXECUTE FUNCTION refuse_order_move();
