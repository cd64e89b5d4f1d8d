-- Invariant: what is on hand never falls under what orders have reserved, is what its changer believes it is, and is locked in the order of the variants' ids (spec §7.2, §18.8).
-- Changes what is on hand of variants in environments, each pair named once: to a number, or by a delta; null for both only
-- locks. Returns the pairs that are left as they are, and why: Changed (another number is on hand than expected),
-- UnderReserved (less would be left than orders have reserved, or than nothing), TooMany (a delta would leave more than a billion).
CREATE OR REPLACE FUNCTION set_stock(
  p_variant_ids uuid[], p_environments text[], p_on_hand integer[], p_deltas integer[], p_expected integer[]
) RETURNS TABLE (refused_id uuid, refused_in text, why text, units_on_hand integer, units_reserved integer) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM stock_levels WHERE (variant_id, environment) IN (SELECT * FROM unnest(p_variant_ids, p_environments))
  ORDER BY variant_id, environment FOR NO KEY UPDATE;
  -- A new statement sees what those before us in the queue have left.
  RETURN QUERY WITH wanted AS (
    SELECT t.variant_id, t.environment, t.on_hand, t.reserved, n.on_hand AS is_to_be,
      CASE WHEN w.expected <> t.on_hand THEN 'Changed'
           WHEN n.on_hand < t.reserved THEN 'UnderReserved'
           WHEN w.on_hand IS NULL AND n.on_hand > greatest(t.on_hand, 1000000000) THEN 'TooMany' END AS why
    FROM unnest(p_variant_ids, p_environments, p_on_hand, p_deltas, p_expected)
      AS w (variant_id, environment, on_hand, delta, expected)
    JOIN stock_levels t ON t.variant_id = w.variant_id AND t.environment = w.environment
    CROSS JOIN LATERAL (SELECT coalesce(w.on_hand, t.on_hand::bigint + w.delta, t.on_hand) AS on_hand) n
  ), changed AS (
    UPDATE stock_levels t SET on_hand = w.is_to_be,
      restocked_at = CASE WHEN t.on_hand = t.reserved AND w.is_to_be > t.on_hand THEN clock_timestamp() ELSE t.restocked_at END
    FROM wanted w
    WHERE t.variant_id = w.variant_id AND t.environment = w.environment AND w.why IS NULL AND w.is_to_be <> t.on_hand
  )
  SELECT w.variant_id, w.environment, w.why, w.on_hand, w.reserved FROM wanted w
  WHERE w.why IS NOT NULL ORDER BY w.variant_id, w.environment;
END $$;
