-- Invariant: a fulfillment group makes only the moves of spec §7.3, whatever writes to it.
-- Pending to Shipped to Delivered; Pending or Shipped to Cancelled (spec §7.3).
CREATE OR REPLACE FUNCTION refuse_group_move() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'fulfillment group % cannot be % when it is %', OLD.id, NEW.status, OLD.status
    USING ERRCODE = 'check_violation', CONSTRAINT = 'fulfillment_groups_moves', TABLE = 'fulfillment_groups';
END
$$;

CREATE OR REPLACE TRIGGER fulfillment_groups_moves BEFORE UPDATE OF status ON fulfillment_groups FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND (OLD.status, NEW.status) NOT IN (
    ('Pending', 'Shipped'), ('Shipped', 'Delivered'), ('Pending', 'Cancelled'), ('Shipped', 'Cancelled')))
  EXECUTE FUNCTION refuse_group_move();
