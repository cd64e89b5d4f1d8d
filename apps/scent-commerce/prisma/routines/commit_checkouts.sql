-- Bench row: checkout of a 5-line cart; uses up what orders hold, their carts, locks, discounts and stock, and counts what was sold: one statement, one commit for those that come at the same time.
-- Returns the places, from 1, of the owners' checkouts that were Begun and are Committed now; for the others nothing has changed. Locks are
-- taken in one order, checkouts, codes, carts, stock, each by id, as at the begin and by whoever cancels.
CREATE OR REPLACE FUNCTION commit_checkouts(p_order_keys text[], p_partner_ids uuid[], p_environments text[]) RETURNS SETOF integer
LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_places integer[];
  v_keys text[];
  v_carts uuid[];
  v_variants uuid[];
  v_environments text[];
  v_units integer[];
BEGIN
  -- Several do not wait long for what one of them needs: they fail, and each is tried alone. One alone waits as long as it takes.
  IF cardinality(p_order_keys) > 1 THEN
    PERFORM set_config('lock_timeout', '200ms', true);
  END IF;
  WITH named AS MATERIALIZED (
    SELECT order_key, partner_id, environment, state FROM checkouts
    WHERE order_key = ANY (p_order_keys) ORDER BY order_key FOR NO KEY UPDATE
  )
  SELECT array_agg(w.place), array_agg(DISTINCT k.order_key) INTO v_places, v_keys FROM named k
  JOIN unnest(p_order_keys, p_partner_ids, p_environments) WITH ORDINALITY AS w (order_key, partner_id, environment, place)
    USING (order_key, partner_id, environment)
  WHERE k.state = 'Begun';
  IF v_keys IS NULL THEN
    RETURN;
  END IF;
  WITH done AS (
    UPDATE checkouts SET state = 'Committed', changed_at = clock_timestamp()
    WHERE order_key = ANY (v_keys) RETURNING order_key, cart_id, lock_id
  ), spent AS (
    UPDATE price_locks p SET spent_by = d.order_key FROM done d WHERE p.id = d.lock_id
  )
  SELECT array_agg(d.cart_id) INTO v_carts FROM done d;

  PERFORM FROM discount_codes
  WHERE id IN (SELECT code_id FROM discount_redemptions WHERE order_key = ANY (v_keys) AND state = 'Pending')
  ORDER BY id FOR NO KEY UPDATE;
  IF FOUND THEN
    WITH redeemed AS (
      UPDATE discount_redemptions SET state = 'Redeemed', changed_at = clock_timestamp()
      WHERE order_key = ANY (v_keys) AND state = 'Pending' RETURNING code_id
    )
    UPDATE discount_codes c SET pending_count = c.pending_count - r.uses, usage_count = c.usage_count + r.uses
    FROM (SELECT code_id, count(*)::integer AS uses FROM redeemed GROUP BY code_id) r WHERE c.id = r.code_id;
  END IF;

  UPDATE carts c SET status = 'CheckedOut'
  FROM (SELECT id FROM carts WHERE id = ANY (v_carts) ORDER BY id FOR NO KEY UPDATE) used WHERE c.id = used.id;

  SELECT array_agg(s.variant_id), array_agg(s.environment), array_agg(s.units) INTO v_variants, v_environments, v_units
  FROM (
    SELECT r.variant_id, k.environment, sum(r.quantity)::integer AS units
    FROM unnest(v_keys) AS w (order_key) JOIN checkouts k USING (order_key) JOIN stock_reservations r USING (order_key)
    GROUP BY r.variant_id, k.environment
  ) s;
  PERFORM FROM stock_levels t WHERE (t.variant_id, t.environment) IN (SELECT * FROM unnest(v_variants, v_environments))
  ORDER BY t.variant_id, t.environment FOR NO KEY UPDATE;
  -- A new statement sees what those before us in the queue have left.
  WITH sold AS (
    UPDATE stock_levels t SET on_hand = t.on_hand - s.units, reserved = t.reserved - s.units
    FROM unnest(v_variants, v_environments, v_units) AS s (variant_id, environment, units)
    WHERE t.variant_id = s.variant_id AND t.environment = s.environment
    RETURNING t.variant_id, t.environment, t.is_active, s.units
  ), by_day AS (
    INSERT INTO daily_sales AS d (variant_id, environment, day, units)
    SELECT variant_id, environment, (clock_timestamp() AT TIME ZONE 'UTC')::date, units FROM sold ORDER BY variant_id, environment
    ON CONFLICT (variant_id, environment, day) DO UPDATE SET units = d.units + excluded.units
  )
  INSERT INTO sales_totals AS d (variant_id, environment, units, is_active)
  SELECT variant_id, environment, units, is_active FROM sold ORDER BY variant_id, environment
  ON CONFLICT (variant_id, environment) DO UPDATE SET units = d.units + excluded.units;
  RETURN QUERY SELECT unnest(v_places);
END $$;
