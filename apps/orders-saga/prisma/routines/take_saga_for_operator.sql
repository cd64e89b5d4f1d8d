-- Invariant: the saga is locked before the order is looked at.
-- For an operator's decision, from whoever has the order: if it still has this status and no such decision, save
-- one that could not be carried out.
CREATE OR REPLACE FUNCTION take_saga_for_operator(
  p_order uuid, p_status text, p_decision text, p_owner text, p_lease_ms integer
) RETURNS SETOF sagas LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM sagas WHERE order_id = p_order FOR NO KEY UPDATE;
  IF EXISTS (SELECT FROM orders WHERE id = p_order AND status = p_status)
    AND NOT EXISTS (SELECT FROM saga_steps i WHERE i.order_id = p_order AND i.step = p_decision AND i.phase = 'intent'
      AND NOT EXISTS (SELECT FROM saga_steps r WHERE r.order_id = i.order_id AND r.step = i.step
        AND r.attempt = i.attempt AND r.phase = 'result' AND r.outcome = 'Failed')) THEN
    RETURN QUERY SELECT * FROM grant_lease(p_order, p_owner, p_lease_ms);
  END IF;
END
$$;
