-- Bench row: orders list; the spans that its totals are kept by.
-- The start of the span of a level that holds a moment. Spans nest: 1 hour, 24 hours, 32 days of 24 hours.
CREATE OR REPLACE FUNCTION order_span(p_level integer, p_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin((ARRAY[interval '1 hour', interval '24 hours', interval '768 hours'])[p_level + 1], p_at,
    timestamptz '2000-01-01 00:00:00+00')
$$;
