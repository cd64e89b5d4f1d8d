-- Invariant: orders, fulfillment groups and return requests make only the moves of spec §4.4, §7.3 and §8.2, whatever writes to
-- them. Written by `npm run moves:write` from the tables of moves in TypeScript. The conditions are all that an allowed
-- write costs, and hold no function call, since PostgreSQL would read its text in every statement: the function refuses. After
-- an update, since before one PostgreSQL locks each row by itself.
CREATE OR REPLACE FUNCTION refuse_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % cannot be % when it is %', coalesce(NEW.id, OLD.id), TG_TABLE_NAME,
    CASE TG_OP WHEN 'DELETE' THEN 'deleted' ELSE NEW.status END, coalesce(OLD.status, 'new')
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_moves', TABLE = TG_TABLE_NAME;
END
$$;

-- An order is of a known product for good, begins as Pending, and is taken back before a vendor was called only (spec §4.2).
CREATE OR REPLACE TRIGGER orders_moves AFTER UPDATE OF status, product ON orders FOR EACH ROW
  WHEN (OLD.product <> NEW.product
    OR (OLD.status <> NEW.status AND OLD.product || ': ' || OLD.status || ' > ' || NEW.status <> ALL ('{
    Topup: Pending > Processing,
    Topup: Pending > Cancelled,
    Topup: Processing > Completed,
    Topup: Processing > Failed,
    Topup: Processing > InterventionRequired,
    Topup: InterventionRequired > Completed,
    Topup: InterventionRequired > Failed,
    Topup: Completed > Reversed,
    Esim: Pending > Processing,
    Esim: Pending > Cancelled,
    Esim: Processing > Completed,
    Esim: Processing > Failed,
    Esim: Processing > InterventionRequired,
    Esim: InterventionRequired > Completed,
    Esim: InterventionRequired > Failed,
    Esim: Completed > Reversed,
    Scent: Pending > Processing,
    Scent: Pending > InterventionRequired,
    Scent: InterventionRequired > Processing,
    Scent: InterventionRequired > Failed,
    Scent: InterventionRequired > Cancelled,
    Scent: Processing > PartiallyDelivered,
    Scent: Processing > Completed,
    Scent: Processing > Cancelled,
    Scent: PartiallyDelivered > Completed,
    Scent: Completed > PartiallyReturned,
    Scent: Completed > Returned,
    Scent: PartiallyReturned > Returned}')))
  EXECUTE FUNCTION refuse_move();
CREATE OR REPLACE TRIGGER orders_first_status BEFORE INSERT ON orders FOR EACH ROW
  WHEN (NEW.status <> 'Pending' OR NEW.product NOT IN ('Topup', 'Esim', 'Scent'))
  EXECUTE FUNCTION refuse_move();
CREATE OR REPLACE TRIGGER orders_withdrawal BEFORE DELETE ON orders FOR EACH ROW
  WHEN (OLD.status <> 'Pending')
  EXECUTE FUNCTION refuse_move();

CREATE OR REPLACE TRIGGER fulfillment_groups_moves AFTER UPDATE OF status ON fulfillment_groups FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND OLD.status || ' > ' || NEW.status <> ALL ('{
    Pending > Shipped,
    Pending > Cancelled,
    Shipped > Delivered,
    Shipped > Cancelled}'))
  EXECUTE FUNCTION refuse_move();

CREATE OR REPLACE TRIGGER return_requests_moves AFTER UPDATE OF status ON return_requests FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND OLD.status || ' > ' || NEW.status <> ALL ('{
    Pending > Approved,
    Pending > Declined}'))
  EXECUTE FUNCTION refuse_move();
