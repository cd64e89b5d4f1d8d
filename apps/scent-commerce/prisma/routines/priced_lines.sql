-- Bench row: cart add + preview; a cart's lines, or the quoted ones, with all that pricing needs in one statement.
-- p_path counts only for a partner without a profile yet. OFFSET 0 keeps the planner at looking the variants up one after the
-- other: left to itself it joins the few lines with the whole catalog, badges and all.
CREATE OR REPLACE FUNCTION priced_lines(
  p_outcome text, p_cart carts, p_partner_id uuid, p_environment text, p_path uuid[], p_variant_ids uuid[], p_quantities integer[]
) RETURNS SETOF priced_row LANGUAGE sql STABLE AS $$
  SELECT p_outcome, (p_cart).id, (p_cart).version, (p_cart).order_key, statement_timestamp(),
         pp.commission_rate, pp.is_vat_registered, pp.tax_registration_number, pp.display_currency, pp.marketing_enabled,
         l.variant_id, l.quantity, f.*
  FROM (SELECT 1) AS always
  LEFT JOIN partner_profiles pp ON pp.partner_id = p_partner_id
  LEFT JOIN (
    SELECT variant_id, quantity, position FROM cart_lines WHERE cart_id = (p_cart).id
    UNION ALL
    SELECT variant_id, quantity, position FROM unnest(p_variant_ids, p_quantities)
      WITH ORDINALITY AS quoted (variant_id, quantity, position)
  ) l ON true
  LEFT JOIN LATERAL (
    SELECT v.sku, v.size_ml, v.scent_name, v.warehouse_code, p.list_price, v.catalog_price, v.cost, v.rrp,
           v.tax_classification, v.brand_commission_rate, v.is_active, v.available, v.first_offered_at, v.lowered_from,
           v.lowered_at, v.restocked_at,
           CASE WHEN pp.marketing_enabled THEN v.is_best_seller END AS is_best_seller,
           CASE WHEN pp.marketing_enabled THEN v.has_available_sample END AS has_available_sample
    FROM stocked_variants v
    CROSS JOIN LATERAL caller_price(v.id, v.catalog_price, coalesce(pp.ancestors, p_path)) p
    WHERE v.id = l.variant_id AND v.environment = p_environment OFFSET 0
  ) f ON true
  ORDER BY l.position
$$;
