-- Version before: it sets what is on hand of both environments by this.
-- Sets what is on hand of variants, each named once; null only locks. Returns those that orders have reserved more of in either
-- environment, which are left as they are there.
CREATE OR REPLACE FUNCTION set_on_hand(p_variant_ids uuid[], p_on_hand integer[])
RETURNS TABLE (refused_id uuid, units_reserved integer) LANGUAGE sql AS $$
  SELECT s.refused_id, max(s.units_reserved)
  FROM (
    SELECT array_agg(w.variant_id) AS ids, array_agg(e.environment) AS environments, array_agg(w.on_hand) AS on_hand
    FROM unnest(p_variant_ids, p_on_hand) AS w (variant_id, on_hand)
    CROSS JOIN (VALUES ('live'), ('sandbox')) AS e (environment)
  ) both_of
  CROSS JOIN LATERAL set_stock(both_of.ids, both_of.environments, both_of.on_hand, NULL, NULL) s
  GROUP BY s.refused_id
$$;
