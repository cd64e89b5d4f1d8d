-- Invariant: units of an order are put back once for each key and never more than were sold, and their stock is locked for one round trip (spec §7.2).
-- Returns the checkout as it is, and whether the units are back: they are not when it is not the owner's or not Committed, or
-- when fewer of its units are still out.
CREATE OR REPLACE FUNCTION restock_units(
  p_order_key text, p_partner_id uuid, p_environment text, p_return_key text, p_variant_ids uuid[], p_quantities integer[],
  p_headers text, OUT "partnerId" uuid, OUT environment text, OUT state text, OUT "isRestocked" boolean
) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('reseller.headers', p_headers, true);
  SELECT k.partner_id, k.environment, k.state INTO "partnerId", environment, state
  FROM checkouts k WHERE k.order_key = p_order_key FOR NO KEY UPDATE;
  "isRestocked" := false;
  IF ("partnerId", environment, state) IS DISTINCT FROM (p_partner_id, p_environment, 'Committed') THEN
    RETURN;
  END IF;
  "isRestocked" := EXISTS (SELECT FROM stock_returns WHERE order_key = p_order_key AND return_key = p_return_key);
  IF "isRestocked" OR cardinality(p_variant_ids) > (
    SELECT count(*) FROM unnest(p_variant_ids, p_quantities) AS w (variant_id, quantity)
    JOIN stock_reservations r ON r.order_key = p_order_key AND r.variant_id = w.variant_id
    WHERE r.quantity - r.restocked >= w.quantity
  ) THEN
    RETURN;
  END IF;
  INSERT INTO stock_returns (order_key, return_key) VALUES (p_order_key, p_return_key);
  UPDATE stock_reservations r SET restocked = r.restocked + w.quantity
  FROM unnest(p_variant_ids, p_quantities) AS w (variant_id, quantity)
  WHERE r.order_key = p_order_key AND r.variant_id = w.variant_id;
  PERFORM add_stock(p_environment, p_variant_ids, p_quantities, array_fill(0, ARRAY[cardinality(p_variant_ids)]));
  "isRestocked" := true;
END $$;
