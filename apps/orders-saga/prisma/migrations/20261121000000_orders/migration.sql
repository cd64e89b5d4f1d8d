-- Where products can be sold; reference data, changed by migrations only.
CREATE TABLE geo_scopes (
  global_id text PRIMARY KEY,
  name text NOT NULL,
  country text NOT NULL CHECK (country ~ '^[A-Z]{2}$'),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  topup_min_amount numeric(14, 2),
  topup_max_amount numeric(14, 2),
  sells_esim boolean NOT NULL,
  position integer NOT NULL UNIQUE,
  CHECK ((topup_min_amount IS NULL) = (topup_max_amount IS NULL)),
  CHECK (topup_min_amount > 0 AND topup_min_amount <= topup_max_amount)
);

INSERT INTO geo_scopes VALUES
  ('GEO-SA', 'Saudi Arabia', 'SA', 'SAR', 5, 500, true, 1),
  ('GEO-AE', 'United Arab Emirates', 'AE', 'SAR', 5, 500, true, 2),
  ('GEO-EG', 'Egypt', 'EG', 'SAR', 5, 500, true, 3),
  ('GEO-US', 'United States', 'US', 'SAR', 5, 500, false, 4);

-- Orders of every product; what only one product has is nullable and held to that product by a check.
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  -- The id in base 32 behind the product's prefix, so it is unique by the key above and needs no index.
  global_id text COLLATE "C" NOT NULL,
  saga_id text NOT NULL,
  partner_id uuid NOT NULL,
  partner_global_id text NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  product text COLLATE "C" NOT NULL CHECK (product IN ('Topup', 'Esim', 'Scent')),
  external_reference text COLLATE "C" NOT NULL,
  request jsonb NOT NULL,
  geo_scope_global_id text NOT NULL,
  amount numeric(14, 2) NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  phone_number text,
  status text COLLATE "C" NOT NULL CHECK (status IN ('Pending', 'Processing', 'Completed', 'Failed',
    'InterventionRequired', 'Cancelled', 'Reversed', 'PartiallyDelivered', 'PartiallyReturned', 'Returned')),
  status_description text,
  vendor_name text,
  vendor_order_id text,
  vendor_asked_at timestamptz,
  error_message text,
  failure_code text,
  display_currency text,
  display_rate numeric(18, 6) CHECK (display_rate > 0),
  submitted_at timestamptz NOT NULL,
  completed_at timestamptz,
  current_retry_count integer NOT NULL DEFAULT 0 CHECK (current_retry_count >= 0),
  next_poll_at timestamptz,
  -- The idempotency key of spec §4.2, for ever: rows are never reaped. One column, so that no index of the lists
  -- below can be taken for its look-up, which happens to a planner without statistics and reads all of a partner's
  -- orders. Only the reference can hold a space, so different keys never look the same.
  reference_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS
    (external_reference || ' ' || product || ' ' || environment || ' ' || partner_id::text) STORED,
  CONSTRAINT orders_reference UNIQUE (reference_key),
  CHECK ((product = 'Topup') = (phone_number IS NOT NULL)),
  CHECK ((display_currency IS NULL) = (display_rate IS NULL)),
  CHECK (failure_code IS NULL OR status = 'Failed'),
  CHECK (next_poll_at IS NULL OR status = 'Processing'),
  CHECK (status NOT IN ('Completed', 'Failed', 'Cancelled', 'Reversed') OR completed_at IS NOT NULL)
) WITH (fillfactor = 80);

-- Each list in its own order, so that no page sorts.
CREATE INDEX orders_newest ON orders (partner_id, environment, submitted_at DESC, id DESC);
CREATE INDEX orders_newest_of_product ON orders (partner_id, environment, product, submitted_at DESC, id DESC);
CREATE INDEX orders_newest_of_status ON orders (partner_id, environment, status, submitted_at DESC, id DESC);
CREATE INDEX orders_newest_of_all ON orders (submitted_at DESC, id DESC);
-- Operators look for what is not well; completed orders of all partners are found in the index above.
CREATE INDEX orders_newest_of_all_unfinished ON orders (status, submitted_at DESC, id DESC)
  WHERE status NOT IN ('Completed', 'Processing', 'Pending');
CREATE INDEX orders_underway ON orders (submitted_at DESC, id DESC) WHERE status IN ('Processing', 'Pending');

-- Who carries an order on: one row for each order, made and deleted with it in one statement; a foreign key would
-- only repeat that at every step of every order. wake_at is when anyone may take it: the lease's end while it is held, the next try's
-- time while it is not.
CREATE TABLE sagas (
  order_id uuid PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('Active', 'Parked', 'Finished')),
  lease_owner text,
  lease_epoch bigint NOT NULL,
  lease_until timestamptz,
  wake_at timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  -- Whether the event of Processing was written (spec §10.3).
  is_announced boolean NOT NULL DEFAULT false,
  CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CHECK ((state = 'Active') = (wake_at IS NOT NULL))
) WITH (fillfactor = 60);

CREATE INDEX sagas_due ON sagas (wake_at) WHERE state = 'Active';

-- The journal of a saga: a step is recorded before it is tried. The key is what makes "only whoever recorded the
-- intent may act on it" hold. Written by advance_saga only, under the saga's lock.
CREATE TABLE saga_steps (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  order_id uuid NOT NULL,
  step text COLLATE "C" NOT NULL,
  attempt integer NOT NULL DEFAULT 0,
  phase text COLLATE "C" NOT NULL CHECK (phase IN ('intent', 'result')),
  outcome text,
  details jsonb,
  recorded_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (order_id, step, attempt, phase),
  CHECK ((phase = 'result') = (outcome IS NOT NULL))
);
