-- After a restore: what a vendor delivered and no order here requested, and what is captured here and the vendor does not know.
-- Run in one psql session in the database of orders-saga, with the vendor's statement of the hours around the restored moment.
-- idempotency_key is what the vendor was called under: the orderGlobalId.
CREATE TEMP TABLE vendor_statement (
  idempotency_key text PRIMARY KEY,
  vendor_order_id text,
  recipient text,
  amount numeric(14, 2),
  delivered_at timestamptz
);

-- \copy vendor_statement FROM 'statement.csv' CSV HEADER

SELECT 'delivered, no order' AS finding, v.*
FROM vendor_statement AS v
WHERE NOT EXISTS (SELECT FROM orders AS o WHERE o.global_id = v.idempotency_key)
UNION ALL
SELECT 'captured, not delivered', o.global_id, o.vendor_order_id, coalesce(o.request ->> 'phoneNumber', o.request ->> 'email'), o.amount, o.completed_at
FROM orders AS o
WHERE o.status = 'Completed' AND o.environment = 'live' AND o.vendor_name IS NOT NULL
  AND o.completed_at BETWEEN (SELECT min(delivered_at) FROM vendor_statement) AND (SELECT max(delivered_at) FROM vendor_statement)
  AND NOT EXISTS (SELECT FROM vendor_statement AS v WHERE v.idempotency_key = o.global_id)
ORDER BY 1, 6;
