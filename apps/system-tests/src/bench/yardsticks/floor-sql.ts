/**
 * The least SQL by which a top-up keeps what ours keeps: two statements, two commits, seven rows changed.
 *
 * Once per reference; the money is there and set aside before the vendor is called; what is about to be called is on record;
 * what came of it, the charge in a double entry and the event are durable, together, before the response.
 */
export const FLOOR_SCHEMA = `
  CREATE TABLE wallets (
    partner_id uuid PRIMARY KEY,
    balance numeric(14, 2) NOT NULL,
    held numeric(14, 2) NOT NULL DEFAULT 0,
    CHECK (held >= 0 AND balance >= held)
  ) WITH (fillfactor = 50);
  CREATE TABLE orders (
    id uuid PRIMARY KEY,
    partner_id uuid NOT NULL REFERENCES wallets,
    reference text NOT NULL,
    geo_scope text NOT NULL,
    phone_number text NOT NULL,
    amount numeric(14, 2) NOT NULL CHECK (amount > 0),
    status text NOT NULL,
    vendor_order_id text,
    submitted_at timestamptz NOT NULL DEFAULT now(),
    completed_at timestamptz,
    UNIQUE (partner_id, reference)
  ) WITH (fillfactor = 80);
  CREATE TABLE ledger_entries (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id uuid NOT NULL,
    account text NOT NULL,
    amount numeric(14, 2) NOT NULL,
    balance_after numeric(14, 2)
  );
  CREATE TABLE events (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    payload jsonb NOT NULL
  )`;

/**
 * Before the vendor: the order, which is the intent, and its hold. A wallet that has too little fails its CHECK and nothing is
 * written. Returns a row when the order is new. Parameters: id, partner, reference, geo scope, phone number, amount.
 */
export const FLOOR_ADMIT = `
  WITH placed AS (
    INSERT INTO orders (id, partner_id, reference, geo_scope, phone_number, amount, status)
    VALUES ($1, $2, $3, $4, $5, $6, 'Submitting')
    ON CONFLICT (partner_id, reference) DO NOTHING
    RETURNING submitted_at
  )
  UPDATE wallets SET held = held + $6 FROM placed WHERE partner_id = $2 RETURNING placed.submitted_at`;

/** After the vendor: the outcome, the charge, its double entry and the event. Parameters: id, the vendor's id. */
export const FLOOR_COMPLETE = `
  WITH done AS (
    UPDATE orders SET status = 'Completed', vendor_order_id = $2, completed_at = now()
    WHERE id = $1 AND status = 'Submitting'
    RETURNING *
  ), charged AS (
    UPDATE wallets w SET balance = w.balance - d.amount, held = w.held - d.amount
    FROM done d WHERE w.partner_id = d.partner_id
    RETURNING w.balance
  ), booked AS (
    INSERT INTO ledger_entries (order_id, account, amount, balance_after)
    SELECT d.id, 'wallet:' || d.partner_id, -d.amount, c.balance FROM done d, charged c
    UNION ALL
    SELECT d.id, 'sales', d.amount, NULL FROM done d
  ), published AS (
    INSERT INTO events (name, payload)
    SELECT 'OrderCompleted', jsonb_build_object('orderId', id, 'partnerId', partner_id, 'amount', amount) FROM done
  )
  SELECT completed_at FROM done`;
