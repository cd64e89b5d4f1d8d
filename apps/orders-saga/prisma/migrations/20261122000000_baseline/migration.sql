-- The tables of orders-saga as they are; functions and triggers are in ../routines.

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

-- The eSIM plans on offer; reference data, changed by migrations only. A withdrawn one stays, inactive.
CREATE TABLE esim_products (
  sku text COLLATE "C" PRIMARY KEY CHECK (length(sku) BETWEEN 1 AND 100),
  name text COLLATE "C" NOT NULL,
  geo_scope_global_id text NOT NULL REFERENCES geo_scopes,
  -- In GB.
  data_allowance numeric(9, 3) NOT NULL CHECK (data_allowance > 0),
  validity_days integer NOT NULL CHECK (validity_days > 0),
  amount numeric(14, 2) NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  is_active boolean NOT NULL
);

CREATE INDEX esim_products_by_name ON esim_products (name, sku);

-- What orders of every product have; what only one product's have is in its own table below.
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  -- The id in base 32 behind the product's prefix, so it is unique by the key above and needs no index.
  global_id text COLLATE "C" NOT NULL,
  saga_id text NOT NULL,
  partner_id uuid NOT NULL,
  partner_global_id text NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  product text COLLATE "C" NOT NULL,
  external_reference text COLLATE "C" NOT NULL,
  request jsonb NOT NULL,
  geo_scope_global_id text,
  amount numeric(14, 2) NOT NULL,
  currency text NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('Pending', 'Processing', 'Completed', 'Failed',
    'InterventionRequired', 'Cancelled', 'Reversed', 'PartiallyDelivered', 'PartiallyReturned', 'Returned')),
  status_description text,
  vendor_name text,
  vendor_order_id text,
  vendor_submitted_at timestamptz,
  error_message text,
  failure_code text,
  display_currency text,
  display_rate numeric(18, 6) CHECK (display_rate > 0),
  submitted_at timestamptz NOT NULL,
  completed_at timestamptz,
  current_retry_count integer NOT NULL DEFAULT 0 CHECK (current_retry_count >= 0),
  next_poll_at timestamptz,
  customer_ref text COLLATE "C" GENERATED ALWAYS AS (request ->> 'customerRef') STORED,
  -- The idempotency key of spec §4.2, for ever: rows are never reaped. One column, so that no index of the lists
  -- below can be taken for its look-up, which happens to a planner without statistics and reads all of a partner's
  -- orders. Only the reference can hold a space, so different keys never look the same.
  reference_key text COLLATE "C" NOT NULL GENERATED ALWAYS AS
    (external_reference || ' ' || product || ' ' || environment || ' ' || partner_id::text) STORED,
  CONSTRAINT orders_reference UNIQUE (reference_key),
  -- A scent order's amount is what it is charged with VAT: nothing before it is priced, or when a discount took all.
  CONSTRAINT orders_amount_check CHECK (amount > 0 OR (product = 'Scent' AND amount >= 0)),
  CONSTRAINT orders_geo_scope CHECK ((product = 'Scent') = (geo_scope_global_id IS NULL)),
  CHECK ((display_currency IS NULL) = (display_rate IS NULL)),
  CHECK (failure_code IS NULL OR status = 'Failed'),
  CHECK (next_poll_at IS NULL OR status = 'Processing'),
  CHECK (status NOT IN ('Completed', 'Failed', 'Cancelled', 'Reversed') OR completed_at IS NOT NULL)
) WITH (fillfactor = 80);

-- Every column before submitted_at is given by an equality when a list is read (list_orders merges one scan for each
-- product and environment that a filter leaves open), so each of them responds in the list's own order.
CREATE INDEX orders_newest ON orders (partner_id, environment, product, submitted_at DESC, id DESC);
CREATE INDEX orders_newest_of_status ON orders (partner_id, environment, product, status, submitted_at DESC, id DESC);
-- Of all partners. Amounts are never below 0; only a query that says so can use these, and not one that names a partner,
-- for which a planner without statistics likes them as much as the first.
CREATE INDEX orders_newest_of_all ON orders (environment, submitted_at DESC, id DESC) WHERE amount >= 0;
-- Operators look for what is not well; completed orders of all partners are found in the index above.
CREATE INDEX orders_newest_of_all_status ON orders (environment, status, submitted_at DESC, id DESC)
  WHERE amount >= 0 AND status <> 'Completed';
CREATE INDEX orders_newest_of_customer ON orders (partner_id, environment, customer_ref, submitted_at DESC, id DESC)
  WHERE customer_ref IS NOT NULL;

-- What only a top-up has. Written and deleted with its order in one statement, as all tables of products are; a foreign
-- key would only repeat that for every order.
CREATE TABLE topup_orders (
  order_id uuid PRIMARY KEY,
  phone_number text NOT NULL
);

-- What only an eSIM order has: the plan as it was when ordered, and what turns the eSIM on, which nobody sees before the
-- charge is durable (spec §4.8).
CREATE TABLE esim_orders (
  order_id uuid PRIMARY KEY,
  product_sku text NOT NULL,
  email text NOT NULL,
  data_allowance numeric(9, 3) NOT NULL,
  validity_days integer NOT NULL,
  iccid text,
  qr_code text,
  activation_code text,
  plan_details text
) WITH (fillfactor = 80);

-- Who carries an order on: one row for each order, made and deleted with it in one statement; a foreign key would
-- only repeat that at every step of every order. wake_at is when anyone may take it: the lease's end while it is held, the
-- next try's time while it is not.
CREATE TABLE sagas (
  order_id uuid PRIMARY KEY,
  state text NOT NULL CHECK (state IN ('Active', 'Parked', 'Finished')),
  lease_owner text,
  lease_epoch bigint NOT NULL,
  lease_until timestamptz,
  wake_at timestamptz,
  -- What an order waits for that nobody drives: each lane is carried on by itself, so that a slow vendor holds up its own
  -- orders only. While one is driven it is 'lapsed', for nobody knows where its driver will be when the lease runs out.
  lane text COLLATE "C" NOT NULL DEFAULT 'lapsed',
  attempts integer NOT NULL DEFAULT 0,
  -- Whether the event of Processing was written (spec §10.3).
  is_processing_emitted boolean NOT NULL DEFAULT false,
  -- The trace and the request in which the order began: whoever carries it on, hours later and elsewhere, goes on with
  -- them.
  origin jsonb,
  CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CHECK ((state = 'Active') = (wake_at IS NOT NULL))
) WITH (fillfactor = 60);

CREATE INDEX sagas_due ON sagas (lane, wake_at) WHERE state = 'Active';

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

-- The processes that drive sagas and hold a session lock for as long as they live. A row whose lock is free belongs to
-- a process that is gone: its leases need not be waited out. A process without a row has leases that end by time only.
CREATE TABLE saga_owners (
  owner text PRIMARY KEY,
  since timestamptz NOT NULL DEFAULT clock_timestamp()
);

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

-- What a checkout settled for the whole order; amounts in SAR, without VAT unless said.
CREATE TABLE scent_orders (
  order_id uuid PRIMARY KEY REFERENCES orders ON DELETE CASCADE,
  cart_id uuid NOT NULL,
  total_amount numeric(14, 2) NOT NULL CHECK (total_amount >= 0),
  total_goods_vat numeric(14, 2) NOT NULL CHECK (total_goods_vat >= 0),
  total_commission numeric(14, 2) NOT NULL CHECK (total_commission >= 0),
  total_commission_vat numeric(14, 2) NOT NULL CHECK (total_commission_vat >= 0),
  discount_code text,
  discount_amount numeric(14, 2),
  partner_is_vat_registered boolean NOT NULL,
  partner_tax_registration_number text,
  platform_tax_registration_number text,
  -- When the charge was captured.
  tax_point timestamptz,
  CHECK ((discount_code IS NULL) = (discount_amount IS NULL))
);

-- The lines of one warehouse, shipped together.
CREATE TABLE fulfillment_groups (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  source text NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'Pending' CHECK (status IN ('Pending', 'Shipped', 'Delivered', 'Cancelled')),
  shipped_at timestamptz,
  delivered_at timestamptz,
  cancelled_at timestamptz,
  CONSTRAINT fulfillment_groups_source UNIQUE (order_id, source),
  CHECK ((status = 'Delivered') = (delivered_at IS NOT NULL)),
  CHECK ((status = 'Cancelled') = (cancelled_at IS NOT NULL))
) WITH (fillfactor = 80);

CREATE TABLE scent_order_lines (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  position integer NOT NULL,
  group_id uuid NOT NULL REFERENCES fulfillment_groups ON DELETE CASCADE,
  variant_id uuid NOT NULL,
  sku text NOT NULL,
  quantity integer NOT NULL CHECK (quantity > 0),
  -- Units of approved requests, and of those that wait for a decision: together never more than were bought.
  returned_quantity integer NOT NULL DEFAULT 0 CHECK (returned_quantity >= 0),
  claimed_quantity integer NOT NULL DEFAULT 0 CHECK (claimed_quantity >= 0),
  unit_amount numeric(18, 4) NOT NULL,
  line_total numeric(14, 2) NOT NULL,
  goods_vat numeric(14, 2) NOT NULL,
  commission numeric(14, 2) NOT NULL,
  commission_vat numeric(14, 2) NOT NULL,
  pricing_mode text NOT NULL CHECK (pricing_mode IN ('Live', 'Locked')),
  source text NOT NULL,
  tax_classification text NOT NULL,
  vat_rate numeric(6, 4) NOT NULL,
  CONSTRAINT scent_order_lines_position UNIQUE (order_id, position),
  CONSTRAINT scent_order_lines_returns CHECK (returned_quantity + claimed_quantity <= quantity)
) WITH (fillfactor = 80);
CREATE INDEX scent_order_lines_of_group ON scent_order_lines (group_id);

-- An operator's decision that money follows. It is on record before any effect, fences what it is about, and is carried
-- out under idempotency keys made of its subject, by the request or, when that died, by whoever finds it due.
CREATE TABLE order_tasks (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('cancel-group', 'approve-return')),
  -- The fulfillment group's or the return request's id.
  subject_id uuid NOT NULL,
  operator text NOT NULL,
  -- Which entry of its step in saga_steps is this task's.
  journal_attempt integer NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'Open' CHECK (state IN ('Open', 'Done')),
  -- Who carries it out now. Two at once do no harm, they only do the work twice.
  lease_owner text,
  lease_until timestamptz,
  attempts integer NOT NULL DEFAULT 0,
  next_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- The trace and the request of the decision.
  origin jsonb,
  CONSTRAINT order_tasks_subject UNIQUE (kind, subject_id),
  CHECK ((lease_owner IS NULL) = (lease_until IS NULL)),
  CHECK (state = 'Open' OR lease_owner IS NULL)
) WITH (fillfactor = 80);
CREATE INDEX order_tasks_of_order ON order_tasks (order_id);
CREATE INDEX order_tasks_due ON order_tasks (next_at) WHERE state = 'Open';

CREATE TABLE return_requests (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES scent_orders ON DELETE CASCADE,
  group_id uuid NOT NULL REFERENCES fulfillment_groups ON DELETE CASCADE,
  status text COLLATE "C" NOT NULL DEFAULT 'Pending' CHECK (status IN ('Pending', 'Approved', 'Declined')),
  requested_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  decided_at timestamptz,
  decided_by_user_id uuid,
  decline_reason text,
  CHECK ((status = 'Pending') = (decided_at IS NULL)),
  CHECK ((status = 'Pending') = (decided_by_user_id IS NULL)),
  CHECK ((status = 'Declined') = (decline_reason IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX return_requests_newest_of_order ON return_requests (order_id, requested_at DESC, id DESC);
CREATE INDEX return_requests_newest ON return_requests (requested_at DESC, id DESC);
CREATE INDEX return_requests_newest_of_status ON return_requests (status, requested_at DESC, id DESC);

CREATE TABLE return_request_lines (
  id uuid PRIMARY KEY,
  request_id uuid NOT NULL REFERENCES return_requests ON DELETE CASCADE,
  position integer NOT NULL,
  order_line_id uuid NOT NULL REFERENCES scent_order_lines ON DELETE CASCADE,
  quantity integer NOT NULL CHECK (quantity > 0),
  reason text COLLATE "C" NOT NULL
    CHECK (reason IN ('Damaged', 'WrongItem', 'NotAsDescribed', 'ChangedMind', 'Other')),
  CONSTRAINT return_request_lines_once UNIQUE (request_id, order_line_id)
);

-- The simulated vendor of the sandbox; a copy of VENDOR_SIMULATION_SQL of libs/vendor-simulation.
CREATE TABLE vendor_journal (
  idempotency_key text PRIMARY KEY CHECK (length(idempotency_key) BETWEEN 1 AND 128),
  seq bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  product text NOT NULL,
  recipient text NOT NULL,
  product_sku text,
  amount numeric(14, 2) NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  scenario text NOT NULL,
  outages smallint NOT NULL,
  settles_at_poll smallint NOT NULL,
  verdict text NOT NULL CHECK (verdict IN ('success', 'refused', 'unknown')),
  reason text,
  state text NOT NULL CHECK (state IN ('outage', 'pending', 'success', 'refused', 'unknown')),
  vendor_order_id text NOT NULL UNIQUE,
  activation jsonb,
  submissions integer NOT NULL DEFAULT 1,
  inquiries integer NOT NULL DEFAULT 0,
  polls integer NOT NULL DEFAULT 0,
  deliveries smallint NOT NULL CHECK (deliveries IN (0, 1)),
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  delivered_at timestamptz,
  CHECK ((deliveries = 1) = (state = 'success')),
  CHECK ((deliveries = 1) = (delivered_at IS NOT NULL))
);

-- The outbox and the inbox; a copy of libs/messaging/sql/messaging.sql.

-- Events that are committed with the change they tell of. A relay publishes them by state (published_at), never by a
-- cursor: ids commit out of order.
CREATE TABLE outbox (
  event_id uuid PRIMARY KEY,
  topic text NOT NULL,
  type text NOT NULL,
  aggregate_id text NOT NULL,
  aggregate_seq bigint NOT NULL,
  payload bytea NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  published_at timestamptz,
  CONSTRAINT outbox_aggregate_seq_key UNIQUE (aggregate_id, aggregate_seq)
);

-- What is still to be published, in the order within each aggregate; it stays as small as the backlog.
CREATE INDEX outbox_unpublished_idx ON outbox (aggregate_id, aggregate_seq) WHERE published_at IS NULL;
CREATE INDEX outbox_published_at_idx ON outbox (published_at) WHERE published_at IS NOT NULL;

-- The last sequence of each aggregate. Its row lock is held to the end of the transaction, so numbers are given out in
-- commit order and without gaps.
CREATE TABLE outbox_aggregate (
  aggregate_id text PRIMARY KEY,
  last_seq bigint NOT NULL
) WITH (fillfactor = 50);

-- Events whose effect a consumer has committed, and how often it has tried those it has not.
CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  handled_at timestamptz,
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_handled_at_idx ON inbox (handled_at) WHERE handled_at IS NOT NULL;

-- The reconciler; a copy of libs/database/sql/reconciliation.sql.

-- Where each check stands: the pass under way through all its subjects, and how far it has followed the new ones.
CREATE TABLE reconciliation_checks (
  name text PRIMARY KEY,
  -- The newest subject compared soon after it came; only of checks whose subjects come in order of time.
  head text,
  -- The last subject of the pass under way; null between passes.
  at_subject text,
  pass_started_at timestamptz,
  pass_completed_at timestamptz
);

-- What did not agree. A difference is never repaired here: it ends when a later comparison finds it gone.
CREATE TABLE reconciliation_differences (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  check_name text NOT NULL,
  kind text NOT NULL,
  subject text NOT NULL,
  expected text NOT NULL,
  found text NOT NULL,
  first_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  last_seen_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  resolved_at timestamptz
);
CREATE UNIQUE INDEX reconciliation_differences_one_open ON reconciliation_differences (check_name, kind, subject)
  WHERE resolved_at IS NULL;
CREATE INDEX reconciliation_differences_newest ON reconciliation_differences (first_seen_at DESC, id DESC);

-- Reference data, changed by migrations only.
INSERT INTO geo_scopes VALUES
  ('GEO-SA', 'Saudi Arabia', 'SA', 'SAR', 5, 500, true, 1),
  ('GEO-AE', 'United Arab Emirates', 'AE', 'SAR', 5, 500, true, 2),
  ('GEO-EG', 'Egypt', 'EG', 'SAR', 5, 500, true, 3),
  ('GEO-US', 'United States', 'US', 'SAR', 5, 500, false, 4);

INSERT INTO esim_products VALUES
  ('ESIM-EG-1GB-7D', 'Egypt 1 GB, 7 days', 'GEO-EG', 1, 7, 15.00, 'SAR', true),
  ('ESIM-EG-2.5GB-15D', 'Egypt 2.5 GB, 15 days', 'GEO-EG', 2.5, 15, 29.50, 'SAR', true),
  ('ESIM-EG-5GB-30D', 'Egypt 5 GB, 30 days', 'GEO-EG', 5, 30, 49.00, 'SAR', true),
  ('ESIM-SA-1GB-7D', 'Saudi Arabia 1 GB, 7 days', 'GEO-SA', 1, 7, 19.00, 'SAR', true),
  ('ESIM-SA-20GB-30D', 'Saudi Arabia 20 GB, 30 days', 'GEO-SA', 20, 30, 149.00, 'SAR', true),
  ('ESIM-SA-5GB-30D', 'Saudi Arabia 5 GB, 30 days', 'GEO-SA', 5, 30, 59.00, 'SAR', true),
  ('ESIM-UAE-1GB-7D', 'United Arab Emirates 1 GB, 7 days', 'GEO-AE', 1, 7, 22.00, 'SAR', true),
  ('ESIM-UAE-3GB-15D', 'United Arab Emirates 3 GB, 15 days', 'GEO-AE', 3, 15, 45.75, 'SAR', true),
  ('ESIM-UAE-5GB-30D', 'United Arab Emirates 5 GB, 30 days', 'GEO-AE', 5, 30, 69.00, 'SAR', true),
  ('ESIM-UAE-9GB-30D', 'United Arab Emirates 9 GB, 30 days', 'GEO-AE', 9, 30, 99.00, 'SAR', false);
