-- Bench row: orders list; the counts that its page is found by.
-- How many orders were submitted in each span of a level between two of its bounds: the totals, and what has happened to
-- them since (p_moved, by hour).
CREATE OR REPLACE FUNCTION order_spans(
  p_owner uuid, p_environments text[], p_products text[], p_status text, p_hours timestamptz[], p_moved bigint[],
  p_level integer, p_from timestamptz, p_to timestamptz
) RETURNS TABLE (starts_at timestamptz, n bigint) LANGUAGE sql STABLE AS $$
  SELECT span.starts_at, sum(span.n)::bigint
  FROM (
    SELECT t.starts_at, t.orders FROM order_totals t
    WHERE t.partner_id = p_owner AND t.environment = ANY (p_environments) AND t.level = p_level
      AND t.starts_at >= p_from AND t.starts_at < p_to
      AND (p_products IS NULL OR t.product = ANY (p_products)) AND (p_status IS NULL OR t.status = p_status)
    UNION ALL
    SELECT order_span(p_level, moved.hour), moved.n FROM unnest(p_hours, p_moved) AS moved (hour, n)
    WHERE moved.hour >= p_from AND moved.hour < p_to
  ) AS span (starts_at, n)
  GROUP BY span.starts_at
$$;
