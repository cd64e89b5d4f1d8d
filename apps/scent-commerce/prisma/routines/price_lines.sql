-- Version before: it reads the lines of a quote by this, with live's stock.
CREATE OR REPLACE FUNCTION price_lines(
  p_outcome text, p_cart carts, p_partner_id uuid, p_path uuid[], p_variant_ids uuid[], p_quantities integer[]
) RETURNS SETOF priced_row LANGUAGE sql STABLE AS $$
  SELECT * FROM priced_lines(p_outcome, p_cart, p_partner_id, 'live', p_path, p_variant_ids, p_quantities)
$$;
