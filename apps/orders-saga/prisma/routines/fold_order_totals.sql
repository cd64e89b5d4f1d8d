-- Bench row: orders list; its totals are added up in one statement.
-- Adds up the changes into the totals, in one statement; answers how many totals changed. One at a time works, others
-- answer 0. What one snapshot sees of the changes never takes away more than it and the totals have, since whoever changed
-- an order saw it made.
CREATE OR REPLACE FUNCTION fold_order_totals() RETURNS integer LANGUAGE plpgsql
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
