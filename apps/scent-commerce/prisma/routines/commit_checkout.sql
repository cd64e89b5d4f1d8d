-- Version before: it commits each checkout by itself; today's statement is commit_checkouts, which locks in the same order.
CREATE OR REPLACE FUNCTION commit_checkout(p_order_key text, p_partner_id uuid, p_environment text) RETURNS boolean
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  k checkouts;
BEGIN
  UPDATE checkouts SET state = 'Committed', changed_at = clock_timestamp()
  WHERE order_key = p_order_key AND partner_id = p_partner_id AND environment = p_environment AND state = 'Begun' RETURNING * INTO k;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  WITH redeemed AS (
    UPDATE discount_redemptions SET state = 'Redeemed', changed_at = clock_timestamp()
    WHERE order_key = p_order_key AND state = 'Pending' RETURNING code_id
  )
  UPDATE discount_codes c SET pending_count = c.pending_count - 1, usage_count = c.usage_count + 1
  FROM redeemed r WHERE c.id = r.code_id;
  UPDATE carts SET status = 'CheckedOut' WHERE id = k.cart_id;
  UPDATE price_locks SET spent_by = p_order_key WHERE id = k.lock_id;
  PERFORM FROM stock_levels
  WHERE variant_id = ANY (ARRAY(SELECT variant_id FROM stock_reservations WHERE order_key = p_order_key))
    AND environment = p_environment
  ORDER BY variant_id FOR NO KEY UPDATE;
  UPDATE stock_levels t SET on_hand = t.on_hand - r.quantity, reserved = t.reserved - r.quantity
  FROM stock_reservations r
  WHERE r.order_key = p_order_key AND t.variant_id = r.variant_id AND t.environment = p_environment;
  INSERT INTO daily_sales AS s (variant_id, environment, day, units)
  SELECT variant_id, p_environment, (clock_timestamp() AT TIME ZONE 'UTC')::date, quantity FROM stock_reservations
  WHERE order_key = p_order_key ORDER BY variant_id
  ON CONFLICT (variant_id, environment, day) DO UPDATE SET units = s.units + excluded.units;
  INSERT INTO sales_totals AS s (variant_id, environment, units, is_active)
  SELECT r.variant_id, p_environment, r.quantity, v.is_active FROM stock_reservations r JOIN variants v ON v.id = r.variant_id
  WHERE r.order_key = p_order_key ORDER BY r.variant_id
  ON CONFLICT (variant_id, environment) DO UPDATE SET units = s.units + excluded.units;
  RETURN true;
END $$;
