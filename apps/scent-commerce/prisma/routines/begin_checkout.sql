-- Version before: it begins each checkout by itself; today's statement is begin_checkouts, which locks in the same order.
CREATE OR REPLACE FUNCTION begin_checkout(
  p_order_key text, p_partner_id uuid, p_environment text, p_cart_id uuid, p_version bigint, p_lock_id uuid, p_response bytea,
  p_code_id uuid, p_customer_ref text, OUT outcome text, OUT short uuid[]
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  c carts;
  d discount_codes;
BEGIN
  IF p_code_id IS NOT NULL THEN
    SELECT * INTO d FROM discount_codes WHERE id = p_code_id FOR NO KEY UPDATE;
  END IF;
  SELECT * INTO c FROM carts WHERE id = p_cart_id FOR NO KEY UPDATE;
  outcome := CASE
    WHEN EXISTS (SELECT 1 FROM checkouts WHERE order_key = p_order_key) THEN 'Known'
    WHEN d.id IS NULL AND p_code_id IS NOT NULL THEN 'Unknown'
    WHEN d.usage_count + d.pending_count >= d.total_usage_cap THEN 'UsageCapReached'
    WHEN d.per_customer_cap IS NOT NULL AND p_customer_ref IS NULL THEN 'CustomerRefRequired'
    WHEN d.per_customer_cap <= (
      SELECT count(*) FROM discount_redemptions r
      WHERE r.code_id = p_code_id AND r.customer_ref = p_customer_ref AND r.state <> 'GivenBack') THEN 'CustomerCapReached'
    WHEN c.status IS DISTINCT FROM 'Open' THEN 'Gone'
    WHEN c.order_key IS NOT NULL THEN 'Frozen'
    WHEN c.version <> p_version THEN 'Changed' END;
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  PERFORM FROM stock_levels
  WHERE variant_id = ANY (ARRAY(SELECT variant_id FROM cart_lines WHERE cart_id = p_cart_id)) AND environment = p_environment
  ORDER BY variant_id FOR NO KEY UPDATE;
  -- A new statement sees what those before us in the queue have left.
  SELECT array_agg(l.variant_id ORDER BY l.position) INTO short
  FROM cart_lines l
  LEFT JOIN stock_levels t ON t.variant_id = l.variant_id AND t.environment = p_environment AND t.is_active
  WHERE l.cart_id = p_cart_id AND coalesce(t.on_hand - t.reserved, 0) < l.quantity;
  IF short IS NOT NULL THEN
    outcome := 'Short';
    RETURN;
  END IF;
  INSERT INTO checkouts (order_key, partner_id, environment, state, cart_id, lock_id, response)
  VALUES (p_order_key, p_partner_id, p_environment, 'Begun', p_cart_id, p_lock_id, p_response)
  ON CONFLICT (order_key) DO NOTHING;
  -- Cancelled at this moment, before it began.
  IF NOT FOUND THEN
    outcome := 'Known';
    RETURN;
  END IF;
  IF p_code_id IS NOT NULL THEN
    INSERT INTO discount_redemptions (order_key, code_id, customer_ref, state)
    VALUES (p_order_key, p_code_id, p_customer_ref, 'Pending');
    UPDATE discount_codes SET pending_count = pending_count + 1 WHERE id = p_code_id;
  END IF;
  INSERT INTO stock_reservations (order_key, variant_id, quantity)
  SELECT p_order_key, variant_id, quantity FROM cart_lines WHERE cart_id = p_cart_id;
  UPDATE stock_levels t SET reserved = t.reserved + l.quantity FROM cart_lines l
  WHERE l.cart_id = p_cart_id AND t.variant_id = l.variant_id AND t.environment = p_environment;
  UPDATE carts SET order_key = p_order_key WHERE id = p_cart_id;
  outcome := 'Begun';
END $$;
