-- Invariant: a checkout is undone whole, and the stock that others wait for is locked for one round trip (spec §7.2).
-- Undoes the owner's checkout, or uses up the key of one that has not begun. Returns the checkout as it was found, Cancelled
-- where there was none; only one that was Begun, and the owner's, has changed. The code's row is locked before its redemption
-- goes, as by whoever deletes the code, and the stock after the cart, as at the begin.
CREATE OR REPLACE FUNCTION cancel_checkout(
  p_order_key text, p_partner_id uuid, p_environment text, p_headers text,
  OUT "partnerId" uuid, OUT environment text, OUT state text
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
BEGIN
  PERFORM set_config('reseller.headers', p_headers, true);
  INSERT INTO checkouts (order_key, partner_id, environment, state)
  VALUES (p_order_key, p_partner_id, p_environment, 'Cancelled') ON CONFLICT (order_key) DO NOTHING
  RETURNING partner_id, environment, state INTO "partnerId", environment, state;
  IF FOUND THEN
    RETURN;
  END IF;
  SELECT k.partner_id, k.environment, k.state INTO "partnerId", environment, state
  FROM checkouts k WHERE k.order_key = p_order_key FOR NO KEY UPDATE;
  IF ("partnerId", environment, state) IS DISTINCT FROM (p_partner_id, p_environment, 'Begun') THEN
    RETURN;
  END IF;
  PERFORM FROM discount_codes
  WHERE id = (SELECT code_id FROM discount_redemptions WHERE order_key = p_order_key) FOR NO KEY UPDATE;
  WITH freed AS (DELETE FROM discount_redemptions r WHERE r.order_key = p_order_key AND r.state = 'Pending' RETURNING code_id)
  UPDATE discount_codes c SET pending_count = c.pending_count - 1 FROM freed f WHERE c.id = f.code_id;
  UPDATE checkouts k SET state = 'Cancelled', changed_at = clock_timestamp() WHERE k.order_key = p_order_key;
  -- The wait for the order was no idleness of the customer's.
  UPDATE carts SET order_key = NULL, touched_at = clock_timestamp() WHERE order_key = p_order_key;
  PERFORM add_stock(p_environment, array_agg(variant_id), array_agg(0), array_agg(-quantity))
  FROM stock_reservations WHERE order_key = p_order_key;
END $$;
