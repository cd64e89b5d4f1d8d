-- The variants of a cart or quote are looked up one after the other. OFFSET 0 keeps the planner at that: left to itself it
-- merges the few lines with the whole catalog, in the order of ids, badges and all.

CREATE OR REPLACE FUNCTION cart_rows(p_outcome text, p_cart_id uuid, p_path uuid[]) RETURNS SETOF priced_row
LANGUAGE sql STABLE AS $$
  SELECT p_outcome, c.id, c.version, c.order_key, statement_timestamp(),
         pp.commission_rate, pp.is_vat_registered, pp.tax_registration_number, pp.display_currency, pp.marketing_enabled,
         l.variant_id, l.quantity, f.sku, f.size_ml, f.scent_name, f.warehouse_code, f.list_price, f.catalog_price, f.cost,
         f.rrp, f.tax_classification, f.brand_commission_rate, f.is_active, f.available, f.first_offered_at, f.lowered_from,
         f.lowered_at, f.restocked_at, f.is_best_seller, f.has_available_sample
  FROM carts c
  LEFT JOIN partner_profiles pp ON pp.partner_id = c.partner_id
  LEFT JOIN cart_lines l ON l.cart_id = c.id
  LEFT JOIN LATERAL (
    SELECT v.sku, v.size_ml, v.scent_name, v.warehouse_code, p.list_price, v.catalog_price, v.cost, v.rrp,
           v.tax_classification, v.brand_commission_rate, v.is_active, v.available, v.first_offered_at, v.lowered_from,
           v.lowered_at, v.restocked_at,
           CASE WHEN pp.marketing_enabled THEN v.is_best_seller END AS is_best_seller,
           CASE WHEN pp.marketing_enabled THEN v.has_available_sample END AS has_available_sample
    FROM variant_facts v
    CROSS JOIN LATERAL scent_caller_price(v.id, v.catalog_price, coalesce(pp.ancestors, p_path)) p
    WHERE v.id = l.variant_id OFFSET 0
  ) f ON true
  WHERE c.id = p_cart_id
  ORDER BY l.position
$$;

CREATE OR REPLACE FUNCTION quote_rows(p_partner_id uuid, p_path uuid[], p_variant_ids uuid[], p_quantities integer[])
RETURNS SETOF priced_row LANGUAGE sql STABLE AS $$
  SELECT 'Done', NULL::uuid, NULL::bigint, NULL::text, statement_timestamp(),
         pp.commission_rate, pp.is_vat_registered, pp.tax_registration_number, pp.display_currency, pp.marketing_enabled,
         l.variant_id, l.quantity, f.sku, f.size_ml, f.scent_name, f.warehouse_code, f.list_price, f.catalog_price, f.cost,
         f.rrp, f.tax_classification, f.brand_commission_rate, f.is_active, f.available, f.first_offered_at, f.lowered_from,
         f.lowered_at, f.restocked_at, f.is_best_seller, f.has_available_sample
  FROM unnest(p_variant_ids, p_quantities) WITH ORDINALITY l (variant_id, quantity, position)
  LEFT JOIN partner_profiles pp ON pp.partner_id = p_partner_id
  LEFT JOIN LATERAL (
    SELECT v.sku, v.size_ml, v.scent_name, v.warehouse_code, p.list_price, v.catalog_price, v.cost, v.rrp,
           v.tax_classification, v.brand_commission_rate, v.is_active, v.available, v.first_offered_at, v.lowered_from,
           v.lowered_at, v.restocked_at,
           CASE WHEN pp.marketing_enabled THEN v.is_best_seller END AS is_best_seller,
           CASE WHEN pp.marketing_enabled THEN v.has_available_sample END AS has_available_sample
    FROM variant_facts v
    CROSS JOIN LATERAL scent_caller_price(v.id, v.catalog_price, coalesce(pp.ancestors, p_path)) p
    WHERE v.id = l.variant_id OFFSET 0
  ) f ON true
  ORDER BY l.position
$$;
