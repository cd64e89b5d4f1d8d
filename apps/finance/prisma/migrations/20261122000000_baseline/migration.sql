-- finance's tables. Functions and triggers are in ../../routines.

CREATE TABLE wallets (
  id             uuid PRIMARY KEY,
  partner_id     uuid NOT NULL,
  environment    text NOT NULL CHECK (environment IN ('sandbox', 'live')),
  currency       text NOT NULL DEFAULT 'SAR',
  posted         numeric(20, 2) NOT NULL DEFAULT 0,
  held           numeric(20, 2) NOT NULL DEFAULT 0,
  floor          numeric(20, 2) NOT NULL DEFAULT 0,
  last_seq       bigint NOT NULL DEFAULT 0,
  last_debit_seq bigint NOT NULL DEFAULT 0,
  last_entry_at  timestamptz(6) NOT NULL DEFAULT '-infinity',
  opened_at      timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT wallet_one_per_environment UNIQUE (partner_id, environment),
  CONSTRAINT wallet_held_not_negative CHECK (held >= 0),
  -- spec §3.4: never overspent, whatever runs at the same time.
  CONSTRAINT wallet_not_overspent CHECK (posted - held >= floor),
  CONSTRAINT wallet_floor_not_negative CHECK (floor >= 0)
) WITH (fillfactor = 50);

-- A movement, once for its op_key, with the result that its repetitions get. Rows that name a wallet are written by wallet_apply
-- alone, from the row it holds locked, and wallets are never deleted: a foreign key would cost a fifth of a capture and
-- never refuse anything.
CREATE TABLE ledger_transactions (
  id            uuid PRIMARY KEY,
  op_key        text NOT NULL CONSTRAINT ledger_transaction_op_key_once UNIQUE,
  request_hash  text NOT NULL,
  kind          text NOT NULL CHECK (kind IN ('capture', 'refund', 'credit', 'adjust', 'settle', 'refund_units')),
  wallet_id     uuid NOT NULL,
  reference_id  text NOT NULL,
  balance_after numeric(20, 2) NOT NULL,
  created_at    timestamptz(6) NOT NULL
);

-- Ids ascend in order of time within a wallet, because they are drawn under its lock; so never give it a cache.
CREATE SEQUENCE ledger_transaction_id AS bigint CACHE 1;

-- A line is either a wallet's (wallet_id, seq, balance_after) or the platform's (platform_account). The platform's
-- accounts have no balance row: every order would queue on it.
CREATE TABLE ledger_entries (
  tx_id            uuid NOT NULL REFERENCES ledger_transactions (id),
  line             smallint NOT NULL,
  transaction_id   bigint NOT NULL DEFAULT nextval('ledger_transaction_id'),
  wallet_id        uuid,
  platform_account text CHECK (platform_account IN ('cash', 'sales', 'vat', 'commission', 'refunds')),
  seq              bigint,
  debit_seq        bigint,
  amount           numeric(20, 2) NOT NULL CHECK (amount <> 0),
  balance_after    numeric(20, 2),
  transaction_type text GENERATED ALWAYS AS (CASE WHEN amount < 0 THEN 'Debit' ELSE 'Credit' END) STORED,
  type_seq         bigint GENERATED ALWAYS AS (CASE WHEN amount < 0 THEN debit_seq ELSE seq - debit_seq END) STORED,
  reference_type   text NOT NULL CHECK (reference_type IN
    ('Order', 'Commission', 'Refund', 'CommissionClawback', 'Deposit', 'Adjustment')),
  reference_id     text NOT NULL,
  notes            text NOT NULL DEFAULT '',
  occurred_at      timestamptz(6) NOT NULL,
  order_goods_vat_amount          numeric(20, 2),
  order_commission_vat_amount     numeric(20, 2),
  order_total_amount_with_vat     numeric(20, 2),
  order_total_commission_with_vat numeric(20, 2),
  PRIMARY KEY (tx_id, line),
  CONSTRAINT ledger_entry_one_account CHECK (
    (wallet_id IS NOT NULL AND platform_account IS NULL
      AND seq IS NOT NULL AND debit_seq IS NOT NULL AND balance_after IS NOT NULL)
    OR (wallet_id IS NULL AND platform_account IS NOT NULL
      AND seq IS NULL AND debit_seq IS NULL AND balance_after IS NULL))
);
CREATE UNIQUE INDEX ledger_entry_wallet_seq ON ledger_entries (wallet_id, seq) WHERE wallet_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entry_wallet_type_seq ON ledger_entries (wallet_id, transaction_type, type_seq) WHERE wallet_id IS NOT NULL;
CREATE INDEX ledger_entry_wallet_time ON ledger_entries (wallet_id, occurred_at) WHERE wallet_id IS NOT NULL;
CREATE INDEX ledger_entry_reference ON ledger_entries (reference_id) WHERE wallet_id IS NOT NULL;

-- Triggers stop a superuser too; the grants stop the service's own role before it gets that far. ledger_transactions keeps
-- UPDATE: the foreign key of its lines locks it FOR KEY SHARE, which needs it.
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_entries FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON ledger_transactions, wallets FROM PUBLIC, CURRENT_USER;

-- Holds, once for their op_key. One with an amount of zero is the tombstone of a release that came before its reserve.
CREATE TABLE reservations (
  op_key          text PRIMARY KEY,
  -- Absent only on the tombstone of a release that names no wallet.
  wallet_id       uuid,
  amount          numeric(20, 2) NOT NULL CHECK (amount >= 0),
  captured        numeric(20, 2) NOT NULL DEFAULT 0,
  refunded        numeric(20, 2) NOT NULL DEFAULT 0,
  state           text NOT NULL CHECK (state IN ('active', 'captured', 'released', 'expired')),
  reference_id    text NOT NULL,
  -- As the reserve requested; what is in force is expires_at.
  pinned          boolean NOT NULL,
  expires_at      timestamptz(6) NOT NULL,
  -- The reserve's result, for its repetitions.
  available_after numeric(20, 2) NOT NULL,
  created_at      timestamptz(6) NOT NULL,
  ended_at        timestamptz(6),
  CONSTRAINT reservation_captured_within CHECK (captured BETWEEN 0 AND amount),
  CONSTRAINT reservation_refunded_within CHECK (refunded BETWEEN 0 AND captured),
  CONSTRAINT reservation_captured_state CHECK ((state = 'captured') = (captured > 0)),
  CONSTRAINT reservation_ended CHECK ((state = 'active') = (ended_at IS NULL)),
  CONSTRAINT reservation_tombstone CHECK ((amount > 0 AND wallet_id IS NOT NULL) OR state = 'released')
) WITH (fillfactor = 80);
-- Active holds that can lapse: what a spend sweeps and a balance read adds back. Pinned ones never enter it.
CREATE INDEX reservation_due ON reservations (wallet_id, expires_at) WHERE state = 'active' AND expires_at < 'infinity';
-- What is held now, by wallet: what the reconciler adds up without going through all that ever was.
CREATE INDEX reservation_active ON reservations (wallet_id) WHERE state = 'active';

-- What each line of a settled scent order moved, and how many of its units were given back (spec §7.2, §8.2).
CREATE TABLE settlement_lines (
  order_key             text NOT NULL,
  line_id               uuid NOT NULL,
  tx_id                 uuid NOT NULL REFERENCES ledger_transactions (id),
  quantity              integer NOT NULL CHECK (quantity > 0),
  goods_amount          numeric(20, 2) NOT NULL CHECK (goods_amount >= 0),
  goods_vat_amount      numeric(20, 2) NOT NULL CHECK (goods_vat_amount >= 0),
  commission_amount     numeric(20, 2) NOT NULL CHECK (commission_amount >= 0),
  commission_vat_amount numeric(20, 2) NOT NULL CHECK (commission_vat_amount >= 0),
  refunded_quantity     integer NOT NULL DEFAULT 0,
  PRIMARY KEY (order_key, line_id),
  CONSTRAINT settlement_line_refunded_within CHECK (refunded_quantity BETWEEN 0 AND quantity)
) WITH (fillfactor = 80);

-- Units given back by one movement, with what each line gave back.
CREATE TABLE settlement_refunds (
  tx_id              uuid PRIMARY KEY REFERENCES ledger_transactions (id),
  order_key          text NOT NULL,
  refunded_amount    numeric(20, 2) NOT NULL CHECK (refunded_amount >= 0),
  clawed_back_amount numeric(20, 2) NOT NULL CHECK (clawed_back_amount >= 0),
  lines              jsonb NOT NULL
);
CREATE INDEX settlement_refund_order ON settlement_refunds (order_key);

-- What finance knows of partners, from identity's events.
CREATE TABLE partner_profiles (
  partner_id       uuid PRIMARY KEY,
  display_currency text,
  version          integer NOT NULL,
  updated_at       timestamptz(6) NOT NULL DEFAULT clock_timestamp()
);

-- Display units for one SAR.
CREATE TABLE display_rates (
  currency   text PRIMARY KEY CHECK (currency <> 'SAR'),
  rate       numeric(18, 6) NOT NULL CHECK (rate > 0),
  updated_at timestamptz(6) NOT NULL
);

-- Billing statements (spec §9): locked rows, one chain for each wallet, cut by the ledger's positions.
CREATE TABLE statements (
  id               uuid PRIMARY KEY,
  wallet_id        uuid NOT NULL REFERENCES wallets (id),
  partner_id       uuid NOT NULL,
  environment      text NOT NULL,
  sequence_number  integer NOT NULL,
  previous_number  integer GENERATED ALWAYS AS (CASE WHEN sequence_number > 1 THEN sequence_number - 1 END) STORED,
  statement_number text NOT NULL,
  period_from      timestamptz(3) NOT NULL,
  period_to        timestamptz(3) NOT NULL,
  generated_at     timestamptz(3) NOT NULL,
  -- Its lines are the wallet's entries with after_seq < seq <= up_to_seq.
  after_seq        bigint NOT NULL,
  up_to_seq        bigint NOT NULL,
  currency         text NOT NULL,
  opening_balance  numeric(20, 2) NOT NULL,
  closing_balance  numeric(20, 2) NOT NULL,
  total_debits     numeric(20, 2) NOT NULL,
  total_credits    numeric(20, 2) NOT NULL,
  partner_global_id                text NOT NULL,
  partner_name                     text NOT NULL,
  partner_tax_registration_number  text,
  platform_tax_registration_number text,
  document_nature  text NOT NULL,
  email_to         text,
  email_status     text NOT NULL CHECK (email_status IN ('Pending', 'Sent', 'Failed', 'Skipped')),
  email_status_reason text,
  email_sent_at    timestamptz(3),
  -- Counts the tries begun; a later try's number fences an earlier one out.
  email_attempts   integer NOT NULL DEFAULT 0,
  email_due_at     timestamptz(3) NOT NULL,
  CONSTRAINT statement_one_for_number UNIQUE (wallet_id, sequence_number),
  CONSTRAINT statement_number_once UNIQUE (environment, statement_number),
  CONSTRAINT statement_sequence_from_1 CHECK (sequence_number >= 1),
  CONSTRAINT statement_period CHECK (period_from < period_to),
  CONSTRAINT statement_range CHECK (after_seq BETWEEN 0 AND up_to_seq),
  CONSTRAINT statement_adds_up CHECK (closing_balance = opening_balance + total_credits - total_debits),
  CONSTRAINT statement_totals_not_negative CHECK (total_debits >= 0 AND total_credits >= 0),
  CONSTRAINT statement_sent CHECK ((email_status = 'Sent') = (email_sent_at IS NOT NULL)),
  CONSTRAINT statement_pending_has_address CHECK (email_to IS NOT NULL OR email_status = 'Skipped'),
  -- What the next one leans on.
  CONSTRAINT statement_end UNIQUE (wallet_id, sequence_number, period_to, up_to_seq, closing_balance),
  -- Each begins exactly where the one before it ended: in number, in time, in the ledger and in balance (spec §9.2).
  CONSTRAINT statement_follows FOREIGN KEY (wallet_id, previous_number, period_from, after_seq, opening_balance)
    REFERENCES statements (wallet_id, sequence_number, period_to, up_to_seq, closing_balance)
);
CREATE INDEX statement_email_due ON statements (email_due_at) WHERE email_status = 'Pending';

-- The lines as they were when it was made, in pieces of 500: a document of any length is read piece by piece, and what was
-- issued can be compared with the ledger byte for byte. json and not jsonb, which would not keep the bytes.
CREATE TABLE statement_pieces (
  statement_id uuid NOT NULL REFERENCES statements (id),
  piece        integer NOT NULL CHECK (piece >= 0),
  lines        json NOT NULL,
  PRIMARY KEY (statement_id, piece)
);
REVOKE DELETE, TRUNCATE ON statements, statement_pieces FROM PUBLIC, CURRENT_USER;

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
