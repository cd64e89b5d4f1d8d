-- Invariant: a refused order goes with every trace of it, under its lease only.
-- Takes back an order that was refused before any vendor was asked: no trace is left and its reference is free
-- (spec §4.2). Answers whether it was there to be withdrawn under this lease.
CREATE OR REPLACE FUNCTION withdraw_order(p_order uuid, p_epoch bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sagas WHERE order_id = p_order AND lease_epoch = p_epoch AND state = 'Active' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM orders WHERE id = p_order AND status = 'Pending';
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM saga_steps WHERE order_id = p_order;
  DELETE FROM sagas WHERE order_id = p_order;
  RETURN true;
END
$$;
