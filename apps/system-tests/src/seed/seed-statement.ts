/** SQL for an order's global id behind its prefix: the 128 bits of its id, in `bits` behind two zero bits, in Crockford's base 32. */
export const GLOBAL_ID_DIGITS = Array.from(
  { length: 26 },
  (_, at) =>
    `substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substring(bits FROM ${1 + 5 * at} FOR 5)::integer + 1, 1)`,
).join(' || ');

/**
 * The orders with ordinals from $5 up to $6 of $7 in all, oldest first over $8 days up to now, of partner $1 ($2) in
 * environment $3; references begin with $4. Two in seven are eSIMs; one in twenty failed, one in a hundred was reversed,
 * one in two hundred cancelled, one in five thousand needs an operator, the rest completed. Days have more orders than
 * nights, and the later years more than the first.
 */
export const seedStatement = `
  WITH made AS (INSERT INTO orders (id, global_id, saga_id, partner_id, partner_global_id, environment, product, external_reference,
    request, geo_scope_global_id, amount, currency, status, status_description, vendor_name, vendor_order_id,
    vendor_submitted_at, error_message, failure_code, submitted_at, completed_at)
  SELECT id, CASE WHEN is_esim THEN 'ES-' ELSE 'TU-' END || ${GLOBAL_ID_DIGITS}, id::text, $1::uuid, $2, $3,
    CASE WHEN is_esim THEN 'Esim' ELSE 'Topup' END, 'seed-' || $4 || '-' || n, '{}', 'GEO-SA',
    CASE WHEN is_esim THEN 19 ELSE 5 + n % 200 END, 'SAR',
    status, CASE status WHEN 'InterventionRequired' THEN 'the vendor does not know' END, 'simulator',
    CASE WHEN status <> 'Cancelled' THEN 'SEED-' || id END,
    CASE WHEN status <> 'Cancelled' THEN at + interval '20 ms' END,
    CASE status WHEN 'Failed' THEN 'refused' END, CASE status WHEN 'Failed' THEN 'VENDOR_REFUSED' END,
    at, CASE WHEN status <> 'InterventionRequired' THEN at + interval '1 second' END
  FROM (
    SELECT *, ('00' || ('x' || replace(id::text, '-', ''))::bit(128)::text)::bit(130) AS bits
    FROM (
      SELECT *, uuidv7(at - clock_timestamp()) AS id
      FROM (
        SELECT n, n % 7 < 2 AS is_esim,
          CASE WHEN n % 20 = 7 THEN 'Failed' WHEN n % 100 = 9 THEN 'Reversed' WHEN n % 200 = 31 THEN 'Cancelled'
            WHEN n % 5000 = 61 THEN 'InterventionRequired' ELSE 'Completed' END AS status,
          -- A square root fills the later days more; half of the orders of a day's nights move to its evening.
          now() - $8 * interval '24 hours' * (1 - sqrt(n::float8 / $7))
            - CASE WHEN n % 2 = 0 AND extract(hour FROM now() - $8 * interval '24 hours' * (1 - sqrt(n::float8 / $7))) < 6
                THEN interval '6 hours' ELSE interval '0' END AS at
        FROM generate_series($5::integer + 1, $6::integer) AS n
      ) AS spread
    ) AS named
  ) AS seeded
  RETURNING id, partner_id, environment, product, submitted_at, status),
  topups AS (INSERT INTO topup_order_rows (order_id, phone_number)
    SELECT id, '+9665' || lpad((hashtext(id::text) & 67108863)::text, 8, '0') FROM made WHERE product = 'Topup'),
  esims AS (INSERT INTO esim_orders (order_id, product_sku, email, data_allowance, validity_days)
    SELECT id, 'ESIM-SA-1GB-7D', 'traveller-' || id || '@example.com', 1, 7 FROM made WHERE product = 'Esim')
  INSERT INTO order_total_changes (partner_id, environment, product, hour, to_status, orders)
  SELECT partner_id, environment, product, order_span(0, submitted_at), status, count(*)
  FROM made GROUP BY 1, 2, 3, 4, 5`;
