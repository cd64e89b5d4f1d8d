-- Bench row: checkout of a 5-line cart; holds carts, slots of codes' caps and the stock of all lines for orders that begin at the same time: one statement, one commit.
-- place counts from 1; order keys, carts and codes are named once each. An order has all that it needs or nothing. Any outcome but
-- Begun has changed nothing for it: Known (the key is taken), the reason why the code's caps refuse it (spec §6.7), Gone (the cart
-- is no longer Open), Frozen (another order holds it), Changed (it has another version than was priced), Short (with the variants
-- that are). One without a row has changed nothing either: there is enough for it alone, but not beside those before it.
-- The caps are judged here under the codes' locks: a cap of N admits exactly N. Locks are taken in one order, codes, carts, stock,
-- each by id: whoever needs the same rows queues, and nobody waits in a circle. Each statement sees what those before us in the
-- queue have left.
CREATE OR REPLACE FUNCTION begin_checkouts(
  p_order_keys text[], p_partner_ids uuid[], p_environments text[], p_cart_ids uuid[], p_versions bigint[], p_lock_ids uuid[],
  p_responses bytea[], p_code_ids uuid[], p_customer_refs text[]
) RETURNS TABLE (place integer, outcome text, short uuid[]) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  v_refused integer[];
  v_reasons text[];
  v_places integer[];
BEGIN
  -- Several do not wait long for what one of them needs: they fail, and each is tried alone. One alone waits as long as it takes.
  IF cardinality(p_order_keys) > 1 THEN
    PERFORM set_config('lock_timeout', '200ms', true);
  END IF;
  IF cardinality(array_remove(p_code_ids, NULL)) > 0 THEN
    PERFORM FROM discount_codes WHERE id = ANY (p_code_ids) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  PERFORM FROM carts WHERE id = ANY (p_cart_ids) ORDER BY id FOR NO KEY UPDATE;
  SELECT array_agg(j.place) FILTER (WHERE j.reason IS NOT NULL), array_agg(j.reason) FILTER (WHERE j.reason IS NOT NULL),
         array_agg(j.place) FILTER (WHERE j.reason IS NULL)
  INTO v_refused, v_reasons, v_places
  FROM (
    SELECT k.place::integer, CASE
      WHEN EXISTS (SELECT 1 FROM checkouts o WHERE o.order_key = k.order_key) THEN 'Known'
      WHEN d.id IS NULL AND k.code_id IS NOT NULL THEN 'Unknown'
      WHEN d.usage_count + d.pending_count >= d.total_usage_cap THEN 'UsageCapReached'
      WHEN d.per_customer_cap IS NOT NULL AND k.customer_ref IS NULL THEN 'CustomerRefRequired'
      WHEN d.per_customer_cap <= (
        SELECT count(*) FROM discount_redemptions r
        WHERE r.code_id = k.code_id AND r.customer_ref = k.customer_ref AND r.state <> 'GivenBack') THEN 'CustomerCapReached'
      WHEN c.status IS DISTINCT FROM 'Open' THEN 'Gone'
      WHEN c.order_key IS NOT NULL THEN 'Frozen'
      WHEN c.version <> k.version THEN 'Changed' END AS reason
    FROM unnest(p_order_keys, p_cart_ids, p_versions, p_code_ids, p_customer_refs)
      WITH ORDINALITY AS k (order_key, cart_id, version, code_id, customer_ref, place)
    LEFT JOIN carts c ON c.id = k.cart_id
    LEFT JOIN discount_codes d ON d.id = k.code_id
  ) j;
  IF v_refused IS NOT NULL THEN
    RETURN QUERY SELECT r.place, r.reason, NULL::uuid[] FROM unnest(v_refused, v_reasons) AS r (place, reason);
  END IF;
  IF v_places IS NULL THEN
    RETURN;
  END IF;

  PERFORM FROM stock_levels t WHERE (t.variant_id, t.environment) IN (
    SELECT l.variant_id, p_environments[w.place] FROM unnest(v_places) AS w (place)
    JOIN cart_lines l ON l.cart_id = p_cart_ids[w.place]
  ) ORDER BY t.variant_id, t.environment FOR NO KEY UPDATE;
  RETURN QUERY WITH needed AS (
    SELECT w.place, l.variant_id, coalesce(l.quantity, 0) AS quantity, l.position, coalesce(t.on_hand - t.reserved, 0) AS available,
           sum(coalesce(l.quantity, 0)) OVER (PARTITION BY l.variant_id, p_environments[w.place] ORDER BY w.place) AS with_those_before
    FROM unnest(v_places) AS w (place)
    LEFT JOIN cart_lines l ON l.cart_id = p_cart_ids[w.place]
    LEFT JOIN stock_levels t ON t.variant_id = l.variant_id AND t.environment = p_environments[w.place] AND t.is_active
  ), judged AS (
    SELECT n.place, array_agg(n.variant_id ORDER BY n.position) FILTER (WHERE n.available < n.quantity) AS short,
           bool_and(n.available >= n.with_those_before) AS is_covered
    FROM needed n GROUP BY n.place
  ), made AS (
    -- One that is cancelled at this moment, before it began, has used its key up.
    INSERT INTO checkouts AS o (order_key, partner_id, environment, state, cart_id, lock_id, response)
    SELECT p_order_keys[j.place], p_partner_ids[j.place], p_environments[j.place], 'Begun', p_cart_ids[j.place],
           p_lock_ids[j.place], p_responses[j.place]
    FROM judged j WHERE j.is_covered ORDER BY p_order_keys[j.place]
    ON CONFLICT (order_key) DO NOTHING RETURNING o.order_key, o.environment, o.cart_id
  ), redeemed AS (
    INSERT INTO discount_redemptions (order_key, code_id, customer_ref, state)
    SELECT k.order_key, k.code_id, k.customer_ref, 'Pending'
    FROM unnest(p_order_keys, p_code_ids, p_customer_refs) AS k (order_key, code_id, customer_ref)
    JOIN made m ON m.order_key = k.order_key WHERE k.code_id IS NOT NULL RETURNING code_id
  ), counted AS (
    UPDATE discount_codes c SET pending_count = c.pending_count + 1 FROM redeemed r WHERE c.id = r.code_id
  ), held AS (
    INSERT INTO stock_reservations AS r (order_key, variant_id, quantity)
    SELECT m.order_key, l.variant_id, l.quantity FROM made m JOIN cart_lines l ON l.cart_id = m.cart_id
    RETURNING r.order_key, r.variant_id, r.quantity
  ), reserved AS (
    UPDATE stock_levels t SET reserved = t.reserved + h.units
    FROM (SELECT h.variant_id, m.environment, sum(h.quantity)::integer AS units FROM held h JOIN made m USING (order_key) GROUP BY 1, 2) h
    WHERE t.variant_id = h.variant_id AND t.environment = h.environment
  ), frozen AS (
    UPDATE carts c SET order_key = m.order_key FROM made m WHERE c.id = m.cart_id
  )
  SELECT j.place, CASE WHEN j.short IS NOT NULL THEN 'Short' WHEN m.order_key IS NULL THEN 'Known' ELSE 'Begun' END, j.short
  FROM judged j LEFT JOIN made m ON m.order_key = p_order_keys[j.place]
  WHERE j.short IS NOT NULL OR j.is_covered;
END $$;
