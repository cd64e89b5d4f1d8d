-- Bench row: catalog lists, cart add + preview; the caller's price of each variant within the statement that reads it.
-- The partner's own price, else the nearest ancestor's, else the catalog's (spec §5.3). p_path goes from the root down to the
-- partner. Made to be joined, CROSS JOIN LATERAL caller_price(v.id, v.catalog_price, path) p: the planner takes it in.
CREATE OR REPLACE FUNCTION caller_price(p_variant_id uuid, p_catalog_price numeric, p_path uuid[])
RETURNS TABLE (list_price numeric) LANGUAGE sql STABLE ROWS 1 AS $$
  SELECT coalesce(
    (SELECT p.list_price FROM partner_prices p
     WHERE p.variant_id = p_variant_id AND p.partner_id = ANY (p_path)
     ORDER BY array_position(p_path, p.partner_id) DESC LIMIT 1),
    p_catalog_price)
$$;
