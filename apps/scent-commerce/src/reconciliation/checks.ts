import { sqlCheck, type ReconciliationCheck } from '@reseller/database';

const AFTER_UUID = `coalesce(nullif($1, '')::uuid, '00000000-0000-0000-0000-000000000000')`;

/** What of a variant's stock is reserved in each environment, against the checkouts there that are begun. The subject is the variant's id. */
const stock = sqlCheck({
  name: 'stock',
  batch: 500,
  page: `SELECT id::text AS subject FROM variants WHERE id > ${AFTER_UUID} ORDER BY id LIMIT $2`,
  compare: `SELECT 'reserved-' || t.environment AS kind, t.variant_id::text AS subject, coalesce(h.units, 0)::text AS expected,
      t.reserved::text AS found
    FROM stock_levels t
    LEFT JOIN (SELECT r.variant_id, k.environment, sum(r.quantity) AS units FROM checkouts k JOIN stock_reservations r USING (order_key)
               WHERE k.state = 'Begun' GROUP BY 1, 2) h ON h.variant_id = t.variant_id AND h.environment = t.environment
    WHERE t.variant_id = ANY ($1::uuid[]) AND t.reserved <> coalesce(h.units, 0)`,
});

/** A code's counts against its redemptions. The subject is the code's id. */
const discounts = sqlCheck({
  name: 'discounts',
  batch: 100,
  page: `SELECT id::text AS subject FROM discount_codes WHERE id > ${AFTER_UUID} ORDER BY id LIMIT $2`,
  compare: `SELECT d.kind, c.id::text AS subject, d.expected::text, d.found::text
    FROM discount_codes c
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE state = 'Redeemed') AS used, count(*) FILTER (WHERE state = 'Pending') AS pending
      FROM discount_redemptions WHERE code_id = c.id) r
    CROSS JOIN LATERAL (VALUES ('used', r.used, c.usage_count), ('pending', r.pending, c.pending_count)) AS d (kind, expected, found)
    WHERE c.id = ANY ($1::uuid[]) AND d.expected <> d.found`,
});

/**
 * A checkout against what it holds: begun, its cart is frozen for it and its discount pending; committed, both are used up;
 * cancelled, both are free. The subject is the order's global id.
 */
const checkouts = sqlCheck({
  name: 'checkouts',
  batch: 200,
  settled: `SELECT order_key AS subject FROM checkouts WHERE created_at <= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY order_key DESC LIMIT 1`,
  page: `SELECT order_key AS subject FROM checkouts WHERE order_key > $1 ORDER BY order_key LIMIT $2`,
  compare: `SELECT d.kind, k.order_key AS subject, d.expected, d.found
    FROM checkouts k
    LEFT JOIN discount_redemptions r ON r.order_key = k.order_key
    LEFT JOIN carts c ON c.id = k.cart_id
    CROSS JOIN LATERAL (SELECT coalesce(r.state, 'None') AS discount,
      CASE WHEN c.order_key IS DISTINCT FROM k.order_key THEN 'free' ELSE c.status END AS cart) now
    CROSS JOIN LATERAL (VALUES
      ('discount', CASE k.state WHEN 'Begun' THEN '{Pending,None}' WHEN 'Committed' THEN '{Redeemed,GivenBack,None}' ELSE '{None}' END::text[],
        now.discount),
      ('cart', CASE k.state WHEN 'Begun' THEN '{Open}' WHEN 'Committed' THEN '{CheckedOut}' ELSE '{free}' END::text[], now.cart))
      AS e (kind, allowed, found)
    CROSS JOIN LATERAL (SELECT e.kind, array_to_string(e.allowed, ' or ') || ' (' || k.state || ')' AS expected, e.found) d
    WHERE k.order_key = ANY ($1::text[]) AND NOT e.found = ANY (e.allowed)`,
});

/** What scent-commerce compares within its own database (docs/adr/0008). */
export const reconciliationChecks: readonly ReconciliationCheck[] = [stock, discounts, checkouts];
