-- Invariant: what is on hand never falls under what orders have reserved, and stock is locked in the order of the variants' ids (spec §7.2).
-- Sets what is on hand of variants, each named once; null only locks. Returns those that orders have reserved more of, which
-- are left as they are.
CREATE OR REPLACE FUNCTION set_on_hand(p_variant_ids uuid[], p_on_hand integer[])
RETURNS TABLE (refused_id uuid, units_reserved integer) LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM variant_stocks WHERE variant_id = ANY (p_variant_ids) ORDER BY variant_id FOR NO KEY UPDATE;
  UPDATE variant_stocks t SET on_hand = w.on_hand,
    restocked_at = CASE WHEN t.on_hand = t.reserved AND w.on_hand > t.on_hand THEN clock_timestamp() ELSE t.restocked_at END
  FROM unnest(p_variant_ids, p_on_hand) AS w (variant_id, on_hand)
  WHERE t.variant_id = w.variant_id AND w.on_hand >= t.reserved AND w.on_hand <> t.on_hand;
  RETURN QUERY SELECT t.variant_id, t.reserved FROM unnest(p_variant_ids, p_on_hand) AS w (variant_id, on_hand)
  JOIN variant_stocks t ON t.variant_id = w.variant_id AND w.on_hand < t.reserved;
END $$;
