-- The moves of spec §4.4, held by the database itself: whatever writes to orders, a top-up or an eSIM order makes
-- only these. Scent orders have moves of their own, which come with their saga (spec §7.3). Keep it equal to
-- ALLOWED_MOVES in src/order/domain/order.ts; a test compares every pair.
CREATE FUNCTION order_may_move(p_product text, p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT p_product = 'Scent' OR (p_from, p_to) IN (
    ('Pending', 'Processing'),
    ('Pending', 'Cancelled'),
    ('Processing', 'Completed'),
    ('Processing', 'Failed'),
    ('Processing', 'InterventionRequired'),
    ('InterventionRequired', 'Completed'),
    ('InterventionRequired', 'Failed'),
    ('Completed', 'Reversed'))
$$;

CREATE FUNCTION refuse_order_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'order % cannot be % when it is %', coalesce(NEW.id, OLD.id),
    CASE TG_OP WHEN 'DELETE' THEN 'deleted' ELSE NEW.status END, coalesce(OLD.status, 'new')
    USING ERRCODE = 'check_violation', CONSTRAINT = 'orders_moves', TABLE = 'orders';
END
$$;

-- The conditions are all that an allowed write costs: the function runs only to refuse.
CREATE TRIGGER orders_moves BEFORE UPDATE OF status, product ON orders FOR EACH ROW
  WHEN (OLD.product <> NEW.product
    OR (OLD.status <> NEW.status AND NOT order_may_move(OLD.product, OLD.status, NEW.status)))
  EXECUTE FUNCTION refuse_order_move();

CREATE TRIGGER orders_first_status BEFORE INSERT ON orders FOR EACH ROW
  WHEN (NEW.product <> 'Scent' AND NEW.status <> 'Pending')
  EXECUTE FUNCTION refuse_order_move();

-- Only a refused order is taken back, and only before a vendor was asked (spec §4.2).
CREATE TRIGGER orders_withdrawal BEFORE DELETE ON orders FOR EACH ROW
  WHEN (OLD.status <> 'Pending')
  EXECUTE FUNCTION refuse_order_move();
