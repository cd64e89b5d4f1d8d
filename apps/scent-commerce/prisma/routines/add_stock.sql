-- Invariant: whoever changes the stock of several variants locks them in the order of their ids (spec §7.2).
-- Adds to the stock of variants in one environment, each named once.
CREATE OR REPLACE FUNCTION add_stock(p_environment text, p_variant_ids uuid[], p_on_hand integer[], p_reserved integer[])
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM stock_levels WHERE variant_id = ANY (p_variant_ids) AND environment = p_environment
  ORDER BY variant_id FOR NO KEY UPDATE;
  UPDATE stock_levels t SET on_hand = t.on_hand + c.on_hand, reserved = t.reserved + c.reserved,
    restocked_at = CASE WHEN t.on_hand = t.reserved AND c.on_hand > c.reserved THEN clock_timestamp() ELSE t.restocked_at END
  FROM unnest(p_variant_ids, p_on_hand, p_reserved) AS c (variant_id, on_hand, reserved)
  WHERE t.variant_id = c.variant_id AND t.environment = p_environment;
END $$;
