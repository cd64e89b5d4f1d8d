-- Bench row: orders list; the total and the page by one snapshot, at a cost that does not grow with the history.
-- A page of orders, newest first by (submitted_at, id), and how many the whole list has; no partner is all of them, and
-- what is null does not narrow the list. A partner's list names its products, by which each index of it begins. Reads by
-- one snapshot, so both are exact whatever goes on meanwhile. Neither depends on the length of the history: the total is a
-- sum over spans, and of a page deep in the list the hour is found by the spans' counts, so that only orders of that hour
-- are passed over.
CREATE OR REPLACE FUNCTION list_orders(
  p_partner uuid, p_environment text, p_products text[], p_status text, p_from timestamptz, p_to timestamptz,
  p_limit integer, p_offset bigint, OUT total bigint, OUT ids uuid[]
) LANGUAGE plpgsql STABLE
-- Each scan has an index in the list's order; a planner without statistics would sort a history all the same.
SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
  owner uuid := coalesce(p_partner, '00000000-0000-0000-0000-000000000000');
  environments text[] := CASE WHEN p_environment IS NULL THEN ARRAY['live', 'sandbox'] ELSE ARRAY[p_environment] END;
  own text := CASE WHEN p_partner IS NULL THEN ' AND amount >= 0' ELSE format(' AND partner_id = %L', p_partner) END
    || CASE WHEN p_status IS NULL THEN '' ELSE format(' AND status = %L', p_status) END;
  scans text[];
  newest_first text := ' ORDER BY submitted_at DESC, id DESC ';
  hidden uuid[];
  hidden_hours timestamptz[];
  hours timestamptz[];
  moved bigint[];
  bound timestamptz;
  bounds timestamptz[];
  counts bigint[] := '{}';
  edge bigint;
  spans bigint;
  span record;
  skip bigint;
  upper_bound timestamptz := 'infinity';
  lower_bound timestamptz := '-infinity';
BEGIN
  -- Scent orders whose checkout is not priced yet are in no list (spec §7.3). Few, and mostly none.
  IF coalesce(p_status = 'Pending', true) AND coalesce('Scent' = ANY (p_products), true) THEN
    EXECUTE 'SELECT array_agg(id), array_agg(order_span(0, submitted_at)) FROM orders WHERE environment = ANY ($1)'
      || ' AND product = ''Scent'' AND status = ''Pending''' || own
      || ' AND (SELECT order_id FROM scent_orders WHERE order_id = orders.id) IS NULL'
    INTO hidden, hidden_hours USING environments;
    own := own || CASE WHEN hidden IS NULL THEN '' ELSE format(' AND id <> ALL (%L)', hidden) END;
  END IF;

  SELECT array_agg(format('SELECT submitted_at, id FROM orders WHERE environment = %L', e)
    || CASE WHEN p IS NULL THEN '' ELSE format(' AND product = %L', p) END || own
    || ' AND submitted_at >= $1 AND submitted_at < $2')
  INTO scans FROM unnest(environments) AS e, unnest(coalesce(p_products, ARRAY[NULL])) AS p;

  SELECT array_agg(net.hour), array_agg(net.n) INTO hours, moved
  FROM (
    SELECT m.hour, sum(change.n) AS n
    FROM order_total_changes m, LATERAL (VALUES (m.to_status, m.orders), (m.from_status, -m.orders)) AS change (status, n)
    WHERE (p_partner IS NULL OR m.partner_id = p_partner) AND m.environment = ANY (environments)
      AND (p_products IS NULL OR m.product = ANY (p_products))
      AND change.status IS NOT NULL AND (p_status IS NULL OR change.status = p_status)
    GROUP BY m.hour
    HAVING sum(change.n) <> 0
  ) AS net;
  hours := hours || hidden_hours;
  moved := moved || array_fill(-1::bigint, ARRAY[coalesce(cardinality(hidden), 0)]);

  -- The orders that are not older than each bound: those of the bound's own hour by index, then hours to the end of the
  -- day, days to the end of the 32 days, and the rest.
  FOREACH bound IN ARRAY ARRAY[coalesce(p_from, '-infinity'), coalesce(p_to, 'infinity')] LOOP
    bounds := ARRAY[bound, bound, bound];
    edge := 0;
    spans := 0;
    IF isfinite(bound) THEN
      FOR level IN 0..2 LOOP
        -- The first span's start that is not before what the level below has come to.
        bounds[level + 1] := order_span(level, coalesce(bounds[level], bound));
        IF bounds[level + 1] < coalesce(bounds[level], bound) THEN
          bounds[level + 1] := bounds[level + 1]
            + (ARRAY[interval '1 hour', interval '24 hours', interval '768 hours'])[level + 1];
        END IF;
      END LOOP;
      IF bound < bounds[1] THEN
        EXECUTE 'SELECT count(*) FROM (' || array_to_string(scans, ' UNION ALL ') || ') AS found' INTO edge USING bound, bounds[1];
      END IF;
      SELECT sum(n) INTO spans FROM (
        SELECT n FROM order_spans(owner, environments, p_products, p_status, hours, moved, 0, bounds[1], bounds[2])
        UNION ALL
        SELECT n FROM order_spans(owner, environments, p_products, p_status, hours, moved, 1, bounds[2], bounds[3])
      ) AS lower_levels;
    END IF;
    counts := counts || edge + coalesce(spans, 0) + (SELECT coalesce(sum(n), 0)
      FROM order_spans(owner, environments, p_products, p_status, hours, moved, 2, bounds[3], 'infinity'))::bigint;
  END LOOP;
  total := greatest(counts[1] - counts[2], 0);
  IF p_offset >= total THEN
    RETURN;
  END IF;

  -- Down the levels to the hour that holds the page's first order, counted from the newest.
  skip := counts[2] + p_offset;
  FOR level IN REVERSE 2..0 LOOP
    SELECT s.starts_at, s.passed - s.n AS newer INTO span
    FROM (
      SELECT starts_at, n, sum(n) OVER (ORDER BY starts_at DESC) AS passed
      FROM order_spans(owner, environments, p_products, p_status, hours, moved, level, lower_bound, upper_bound)
    ) AS s
    WHERE s.passed > skip
    ORDER BY s.starts_at DESC
    LIMIT 1;
    skip := skip - span.newer;
    lower_bound := span.starts_at;
    upper_bound := span.starts_at + (ARRAY[interval '1 hour', interval '24 hours', interval '768 hours'])[level + 1];
  END LOOP;
  -- Each scan in the list's order, so that they are merged and not sorted.
  EXECUTE 'SELECT array_agg(id) FROM (SELECT id FROM (('
    || array_to_string(scans, newest_first || 'LIMIT $3 + $4) UNION ALL (') || newest_first || 'LIMIT $3 + $4)) AS found'
    || newest_first || 'OFFSET $3 LIMIT $4) AS page'
  INTO ids USING '-infinity'::timestamptz, upper_bound, skip, least(p_limit, total - p_offset);
END
$$;
