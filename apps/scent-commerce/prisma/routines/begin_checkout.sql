-- Bench row: checkout of a 5-line cart; holds a cart and the stock of all its lines for an order, all or nothing, in one statement.
-- Any outcome but Begun has changed nothing: Known (the key is taken), Gone (the cart is no longer Open), Frozen (another
-- order holds it), Changed (it has another version than was priced), Short (with the variants that are). Stock is locked in
-- the order of the variants' ids: whoever needs the same variants queues, and nobody waits in a circle.
CREATE OR REPLACE FUNCTION begin_checkout(
  p_order_key text, p_partner_id uuid, p_environment text, p_cart_id uuid, p_version bigint, p_lock_id uuid, p_response bytea,
  OUT outcome text, OUT short uuid[]
) LANGUAGE plpgsql AS $$
DECLARE
  c carts;
BEGIN
  SELECT * INTO c FROM carts WHERE id = p_cart_id FOR NO KEY UPDATE;
  outcome := CASE
    WHEN EXISTS (SELECT 1 FROM checkouts WHERE order_key = p_order_key) THEN 'Known'
    WHEN c.status IS DISTINCT FROM 'Open' THEN 'Gone'
    WHEN c.order_key IS NOT NULL THEN 'Frozen'
    WHEN c.version <> p_version THEN 'Changed' END;
  IF outcome IS NOT NULL THEN
    RETURN;
  END IF;
  PERFORM FROM variant_stocks
  WHERE variant_id = ANY (ARRAY(SELECT variant_id FROM cart_lines WHERE cart_id = p_cart_id))
  ORDER BY variant_id FOR NO KEY UPDATE;
  -- A new statement sees what those before us in the queue have left.
  SELECT array_agg(l.variant_id ORDER BY l.position) INTO short
  FROM cart_lines l LEFT JOIN variant_stocks t ON t.variant_id = l.variant_id AND t.is_active
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
  INSERT INTO stock_reservations (order_key, variant_id, quantity)
  SELECT p_order_key, variant_id, quantity FROM cart_lines WHERE cart_id = p_cart_id;
  UPDATE variant_stocks t SET reserved = t.reserved + l.quantity FROM cart_lines l
  WHERE l.cart_id = p_cart_id AND t.variant_id = l.variant_id;
  UPDATE carts SET order_key = p_order_key WHERE id = p_cart_id;
  outcome := 'Begun';
END $$;
