-- Bench row: cart add + preview; units that are added to different carts at the same time: one statement, one commit, all of them read priced.
-- place counts from 1. Only what nothing stands against is added; the others have no row and have changed nothing: change_cart
-- waits for whoever has the cart and says why it refuses. No cart is waited for but one that is being made at this moment; new
-- ones are made in one order, so that nobody waits in a circle. Each of the four statements sees what was committed before it.
CREATE OR REPLACE FUNCTION add_to_carts(
  p_partner_ids uuid[], p_environments text[], p_customer_refs text[], p_paths text[], p_variant_ids uuid[], p_quantities integer[],
  p_idle_ms bigint
) RETURNS SETOF placed_row LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_idle_at timestamptz := statement_timestamp() - p_idle_ms * interval '1 millisecond';
  v_locked uuid[];
  v_places integer[];
  v_ids uuid[];
  v_changed integer[];
  v_changed_ids uuid[];
BEGIN
  SELECT array_agg(l.id), array_agg(l.place) INTO v_locked, v_places FROM (
    SELECT c.id, k.place::integer
    FROM unnest(p_partner_ids, p_environments, p_customer_refs) WITH ORDINALITY AS k (partner_id, environment, customer_ref, place)
    JOIN carts c ON c.partner_id = k.partner_id AND c.environment = k.environment
      AND coalesce(c.customer_ref, '') = coalesce(k.customer_ref, '') AND c.status = 'Open'
    FOR NO KEY UPDATE OF c SKIP LOCKED
  ) l;
  IF v_locked IS NOT NULL THEN
    WITH wanted AS (
      SELECT c.id, w.place, c.version + 1 AS version, p_variant_ids[w.place] AS variant_id,
             l.variant_id IS NULL AS is_new, coalesce(l.quantity, 0) + p_quantities[w.place] AS quantity
      FROM unnest(v_locked, v_places) AS w (id, place)
      JOIN carts c ON c.id = w.id AND c.order_key IS NULL AND c.touched_at > v_idle_at
      JOIN variants v ON v.id = p_variant_ids[w.place] AND v.is_active
      LEFT JOIN cart_lines l ON l.cart_id = c.id AND l.variant_id = v.id
      WHERE coalesce(l.quantity, 0) + p_quantities[w.place] <= 999 AND (l.variant_id IS NOT NULL OR c.line_count < 100)
    ), filled AS (
      INSERT INTO cart_lines (cart_id, variant_id, quantity, position) SELECT id, variant_id, quantity, version FROM wanted
      ON CONFLICT (cart_id, variant_id) DO UPDATE SET quantity = excluded.quantity
    ), changed AS (
      UPDATE carts c SET touched_at = clock_timestamp(), had_lines = true, version = w.version,
        line_count = c.line_count + w.is_new::integer
      FROM wanted w WHERE c.id = w.id RETURNING c.id, w.place
    )
    SELECT array_agg(id), array_agg(place) INTO v_changed_ids, v_changed FROM changed;
  END IF;
  IF cardinality(p_partner_ids) > coalesce(cardinality(v_locked), 0) THEN
    WITH wanted AS (
      SELECT k.* FROM unnest(p_partner_ids, p_environments, p_customer_refs, p_variant_ids, p_quantities)
        WITH ORDINALITY AS k (partner_id, environment, customer_ref, variant_id, quantity, place)
      JOIN variants v ON v.id = k.variant_id AND v.is_active
      WHERE NOT EXISTS (
        SELECT FROM carts c WHERE c.partner_id = k.partner_id AND c.environment = k.environment
          AND coalesce(c.customer_ref, '') = coalesce(k.customer_ref, '') AND c.status = 'Open' OFFSET 0)
    ), made AS (
      INSERT INTO carts (partner_id, environment, customer_ref, had_lines, version, line_count)
      SELECT partner_id, environment, customer_ref, true, 1, 1 FROM wanted
      ORDER BY partner_id, environment, coalesce(customer_ref, '')
      ON CONFLICT (partner_id, environment, coalesce(customer_ref, '')) WHERE status = 'Open' DO NOTHING
      RETURNING id, partner_id, environment, customer_ref
    ), filled AS (
      INSERT INTO cart_lines (cart_id, variant_id, quantity, position)
      SELECT m.id, w.variant_id, w.quantity, 1 FROM made m
      JOIN wanted w ON (w.partner_id, w.environment, coalesce(w.customer_ref, ''))
        = (m.partner_id, m.environment, coalesce(m.customer_ref, ''))
      RETURNING cart_id
    )
    SELECT v_changed_ids || array_agg(m.id), v_changed || array_agg(w.place::integer) INTO v_changed_ids, v_changed
    FROM made m
    JOIN wanted w ON (w.partner_id, w.environment, coalesce(w.customer_ref, ''))
      = (m.partner_id, m.environment, coalesce(m.customer_ref, ''));
  END IF;
  RETURN QUERY SELECT k.place, r.*
  FROM unnest(v_changed_ids, v_changed) AS k (id, place)
  JOIN carts c ON c.id = k.id
  CROSS JOIN LATERAL priced_lines('Done', c, c.partner_id, c.environment, p_paths[k.place]::uuid[], NULL, NULL) r;
END $$;
