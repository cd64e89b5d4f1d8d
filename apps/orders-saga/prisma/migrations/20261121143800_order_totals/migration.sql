-- Lists at size (ADR 0038, 0039): totals that are kept, and indexes for each list that may be asked for.

DROP INDEX orders_newest, orders_newest_of_product, orders_newest_of_status, orders_newest_of_all,
  orders_newest_of_all_unfinished, orders_underway;

-- Every column before submitted_at is given by an equality when a list is read (list_orders merges one scan for each
-- product and environment that a filter leaves open), so each of them answers in the list's own order.
CREATE INDEX orders_newest ON orders (partner_id, environment, product, submitted_at DESC, id DESC);
CREATE INDEX orders_newest_of_status ON orders (partner_id, environment, product, status, submitted_at DESC, id DESC);
-- Of all partners. Amounts are always above 0; only a query that says so can use these, and not one that names a partner,
-- for which a planner without statistics likes them as much as the first.
CREATE INDEX orders_newest_of_all ON orders (environment, submitted_at DESC, id DESC) WHERE amount > 0;
-- Operators look for what is not well; completed orders of all partners are found in the index above.
CREATE INDEX orders_newest_of_all_status ON orders (environment, status, submitted_at DESC, id DESC)
  WHERE amount > 0 AND status <> 'Completed';

-- What has happened to the totals and is not in them yet: so many orders left a status (none: they were made) for
-- another (none: they were deleted). Appended in the transaction of the change, so that nobody queues on a total, and
-- without an index, for it never holds more than a few seconds.
CREATE TABLE order_total_changes (
  partner_id uuid NOT NULL,
  environment text COLLATE "C" NOT NULL,
  product text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  from_status text COLLATE "C",
  to_status text COLLATE "C",
  orders integer NOT NULL CHECK (orders > 0)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1,
  vacuum_truncate = false);

-- How many orders were submitted within each hour (level 0), day (1) and 32 days (2), of one partner, or of all of them
-- under the nil uuid. None is kept for no orders; one that would fall below is a mistake and stops the
-- folding, which costs speed but no exactness.
CREATE TABLE order_totals (
  partner_id uuid,
  environment text COLLATE "C",
  level smallint CHECK (level BETWEEN 0 AND 2),
  starts_at timestamptz,
  product text COLLATE "C",
  status text COLLATE "C",
  orders bigint NOT NULL CHECK (orders > 0),
  PRIMARY KEY (partner_id, environment, level, starts_at, product, status)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- The start of the span of a level that holds a moment. Spans nest: 1 hour, 24 hours, 32 days of 24 hours.
CREATE FUNCTION order_span(p_level integer, p_at timestamptz) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT date_bin((ARRAY[interval '1 hour', interval '24 hours', interval '768 hours'])[p_level + 1], p_at,
    timestamptz '2000-01-01 00:00:00+00')
$$;

-- By statement, for orders come in batches.
CREATE FUNCTION note_orders_made() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes (partner_id, environment, product, hour, to_status, orders)
  SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
  FROM made GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_totals_made AFTER INSERT ON orders REFERENCING NEW TABLE AS made
  FOR EACH STATEMENT EXECUTE FUNCTION note_orders_made();

CREATE FUNCTION note_orders_deleted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes (partner_id, environment, product, hour, from_status, orders)
  SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
  FROM gone GROUP BY 1, 2, 3, 4, 5;
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_totals_deleted AFTER DELETE ON orders REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION note_orders_deleted();

-- By row, for most updates change no status.
CREATE FUNCTION note_order_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes VALUES (NEW.partner_id, NEW.environment, NEW.product, order_span(0, NEW.submitted_at),
    OLD.status, NEW.status, 1);
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_totals_moved AFTER UPDATE ON orders FOR EACH ROW WHEN (OLD.status <> NEW.status)
  EXECUTE FUNCTION note_order_moved();

-- None of these ever changes; were a hand at psql to change one, the totals would follow. With the row above it adds up,
-- whether the status changes too or not.
CREATE FUNCTION note_order_rekeyed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO order_total_changes VALUES
    (OLD.partner_id, OLD.environment, OLD.product, order_span(0, OLD.submitted_at), OLD.status, NULL, 1),
    (NEW.partner_id, NEW.environment, NEW.product, order_span(0, NEW.submitted_at), NULL, OLD.status, 1);
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_totals_rekeyed AFTER UPDATE ON orders FOR EACH ROW
  WHEN (OLD.submitted_at <> NEW.submitted_at OR OLD.partner_id <> NEW.partner_id OR OLD.environment <> NEW.environment
    OR OLD.product <> NEW.product)
  EXECUTE FUNCTION note_order_rekeyed();

CREATE FUNCTION note_orders_truncated() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  TRUNCATE order_total_changes, order_totals;
  RETURN NULL;
END
$$;
CREATE TRIGGER orders_totals_truncated AFTER TRUNCATE ON orders FOR EACH STATEMENT EXECUTE FUNCTION note_orders_truncated();

-- Adds up the changes into the totals, in one statement; answers how many totals changed. One at a time works, others
-- answer 0. What one snapshot sees of the changes never takes away more than it and the totals have, since whoever changed
-- an order saw it made.
CREATE FUNCTION fold_order_totals() RETURNS integer LANGUAGE plpgsql
-- The totals are many and the changed ones few, whatever the planner knows of either.
SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  folded integer;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('orders.fold_order_totals', 0)) THEN
    RETURN 0;
  END IF;
  WITH taken AS (
    DELETE FROM order_total_changes RETURNING *
  ), net AS (
    SELECT partner_id, environment, product, hour, change.status, sum(change.n) AS n
    FROM taken, LATERAL (VALUES (to_status, orders), (from_status, -orders)) AS change (status, n)
    WHERE change.status IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5
    HAVING sum(change.n) <> 0
  ), changed AS (
    SELECT owner.id AS partner_id, environment, level, order_span(level, hour) AS starts_at, product, status, sum(n) AS n
    FROM net, generate_series(0, 2) AS level,
      LATERAL (VALUES (net.partner_id), ('00000000-0000-0000-0000-000000000000'::uuid)) AS owner (id)
    GROUP BY 1, 2, 3, 4, 5, 6
    HAVING sum(n) <> 0
  )
  MERGE INTO order_totals AS t USING changed AS c
    ON t.partner_id = c.partner_id AND t.environment = c.environment AND t.level = c.level AND t.starts_at = c.starts_at
      AND t.product = c.product AND t.status = c.status
  WHEN MATCHED AND t.orders + c.n = 0 THEN DELETE
  WHEN MATCHED THEN UPDATE SET orders = t.orders + c.n
  WHEN NOT MATCHED THEN INSERT (partner_id, environment, level, starts_at, product, status, orders)
    VALUES (c.partner_id, c.environment, c.level, c.starts_at, c.product, c.status, c.n);
  GET DIAGNOSTICS folded = ROW_COUNT;
  RETURN folded;
END
$$;

-- How many orders were submitted in each span of a level between two of its bounds: the totals, and what has happened to
-- them since (p_moved, by hour).
CREATE FUNCTION order_spans(
  p_owner uuid, p_environments text[], p_product text, p_status text, p_hours timestamptz[], p_moved bigint[],
  p_level integer, p_from timestamptz, p_to timestamptz
) RETURNS TABLE (starts_at timestamptz, n bigint) LANGUAGE sql STABLE AS $$
  SELECT span.starts_at, sum(span.n)::bigint
  FROM (
    SELECT t.starts_at, t.orders FROM order_totals t
    WHERE t.partner_id = p_owner AND t.environment = ANY (p_environments) AND t.level = p_level
      AND t.starts_at >= p_from AND t.starts_at < p_to
      AND (p_product IS NULL OR t.product = p_product) AND (p_status IS NULL OR t.status = p_status)
    UNION ALL
    SELECT order_span(p_level, moved.hour), moved.n FROM unnest(p_hours, p_moved) AS moved (hour, n)
    WHERE moved.hour >= p_from AND moved.hour < p_to
  ) AS span (starts_at, n)
  GROUP BY span.starts_at
$$;

-- A page of orders, newest first by (submitted_at, id), and how many the whole list has; no partner is all of them, and
-- what is null does not narrow the list. Reads by one snapshot, so both are exact whatever goes on meanwhile. Neither
-- depends on the length of the history: the total is a sum over spans, and of a page deep in the list the hour is found
-- by the spans' counts, so that only orders of that hour are passed over.
CREATE FUNCTION list_orders(
  p_partner uuid, p_environment text, p_product text, p_status text, p_from timestamptz, p_to timestamptz,
  p_limit integer, p_offset bigint, OUT total bigint, OUT ids uuid[]
) LANGUAGE plpgsql STABLE
-- Each scan has an index in the list's order; a planner without statistics would sort a history all the same.
SET enable_sort = off SET enable_bitmapscan = off SET enable_seqscan = off AS $$
DECLARE
  owner uuid := coalesce(p_partner, '00000000-0000-0000-0000-000000000000');
  environments text[] := CASE WHEN p_environment IS NULL THEN ARRAY['live', 'sandbox'] ELSE ARRAY[p_environment] END;
  -- All there are, as the check of the column has them.
  products text[] := CASE WHEN p_product IS NULL AND p_partner IS NOT NULL THEN ARRAY['Topup', 'Esim', 'Scent']
    ELSE ARRAY[p_product] END;
  own text := CASE WHEN p_partner IS NULL THEN ' AND amount > 0' ELSE format(' AND partner_id = %L', p_partner) END
    || CASE WHEN p_status IS NULL THEN '' ELSE format(' AND status = %L', p_status) END;
  scans text[];
  newest_first text := ' ORDER BY submitted_at DESC, id DESC ';
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
  SELECT array_agg(format('SELECT submitted_at, id FROM orders WHERE environment = %L', e)
    || CASE WHEN p IS NULL THEN '' ELSE format(' AND product = %L', p) END || own
    || ' AND submitted_at >= $1 AND submitted_at < $2')
  INTO scans FROM unnest(environments) AS e, unnest(products) AS p;

  SELECT array_agg(net.hour), array_agg(net.n) INTO hours, moved
  FROM (
    SELECT m.hour, sum(change.n) AS n
    FROM order_total_changes m, LATERAL (VALUES (m.to_status, m.orders), (m.from_status, -m.orders)) AS change (status, n)
    WHERE (p_partner IS NULL OR m.partner_id = p_partner) AND m.environment = ANY (environments)
      AND (p_product IS NULL OR m.product = p_product)
      AND change.status IS NOT NULL AND (p_status IS NULL OR change.status = p_status)
    GROUP BY m.hour
    HAVING sum(change.n) <> 0
  ) AS net;

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
        SELECT n FROM order_spans(owner, environments, p_product, p_status, hours, moved, 0, bounds[1], bounds[2])
        UNION ALL
        SELECT n FROM order_spans(owner, environments, p_product, p_status, hours, moved, 1, bounds[2], bounds[3])
      ) AS lower_levels;
    END IF;
    counts := counts || edge + coalesce(spans, 0) + (SELECT coalesce(sum(n), 0)
      FROM order_spans(owner, environments, p_product, p_status, hours, moved, 2, bounds[3], 'infinity'))::bigint;
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
      FROM order_spans(owner, environments, p_product, p_status, hours, moved, level, lower_bound, upper_bound)
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

-- The orders there are already; nobody adds or moves one meanwhile, for the triggers above locked the table.
INSERT INTO order_total_changes (partner_id, environment, product, hour, to_status, orders)
SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
FROM orders GROUP BY 1, 2, 3, 4, 5;
SELECT fold_order_totals();
