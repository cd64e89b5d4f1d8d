-- Bench row: cart add + preview; Open carts that are read at the same time, priced, in one statement.
-- place counts from 1. A cart that is not there, lay idle too long or never had a line has no row: change_cart makes, abandons or
-- keeps it. One plan for any number of carts: planning this join anew would cost more than running it.
CREATE OR REPLACE FUNCTION read_carts(
  p_partner_ids uuid[], p_environments text[], p_customer_refs text[], p_paths text[], p_idle_ms bigint
) RETURNS SETOF placed_row LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_idle_at timestamptz := statement_timestamp() - p_idle_ms * interval '1 millisecond';
BEGIN
  RETURN QUERY SELECT k.place::integer, r.*
  FROM unnest(p_partner_ids, p_environments, p_customer_refs, p_paths)
    WITH ORDINALITY AS k (partner_id, environment, customer_ref, path, place)
  JOIN carts c ON c.partner_id = k.partner_id AND c.environment = k.environment
    AND coalesce(c.customer_ref, '') = coalesce(k.customer_ref, '') AND c.status = 'Open'
    AND c.had_lines AND (c.order_key IS NOT NULL OR c.touched_at > v_idle_at)
  CROSS JOIN LATERAL priced_lines('Done', c, c.partner_id, c.environment, k.path::uuid[], NULL, NULL) r;
END $$;
