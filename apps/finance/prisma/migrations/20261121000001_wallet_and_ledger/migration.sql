-- Wallets, the double-entry ledger and reservations (spec §3).

CREATE TABLE wallet (
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

-- Rows that name a wallet are written by wallet_apply alone, from the row it holds locked, and wallets are never deleted
-- (trigger below): a foreign key to it would only be paid for, a fifth of a capture, and never bite (docs/adr/0007).
CREATE TABLE ledger_tx (
  id           uuid PRIMARY KEY,
  op_key       text NOT NULL CONSTRAINT ledger_tx_op_key_once UNIQUE,
  request_hash text NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('capture', 'refund', 'credit', 'adjust')),
  wallet_id    uuid NOT NULL,
  reference_id text NOT NULL,
  created_at   timestamptz(6) NOT NULL
);

-- Ids ascend in order of time within a wallet, because they are drawn under its lock; so never give it a cache.
CREATE SEQUENCE ledger_transaction_id AS bigint CACHE 1;

-- A line is either a wallet's (wallet_id, seq, balance_after) or the platform's (platform_account). The platform's
-- accounts have no balance row: every order would queue on it.
CREATE TABLE ledger_entry (
  tx_id            uuid NOT NULL REFERENCES ledger_tx (id),
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

CREATE UNIQUE INDEX ledger_entry_wallet_seq ON ledger_entry (wallet_id, seq) WHERE wallet_id IS NOT NULL;
CREATE UNIQUE INDEX ledger_entry_wallet_type_seq ON ledger_entry (wallet_id, transaction_type, type_seq) WHERE wallet_id IS NOT NULL;
CREATE INDEX ledger_entry_wallet_time ON ledger_entry (wallet_id, occurred_at) WHERE wallet_id IS NOT NULL;
CREATE INDEX ledger_entry_reference ON ledger_entry (reference_id) WHERE wallet_id IS NOT NULL;

CREATE FUNCTION ledger_tx_must_balance() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (SELECT sum(e.amount) FROM ledger_entry e WHERE e.tx_id = NEW.tx_id) <> 0 THEN
    RAISE EXCEPTION 'ledger transaction % does not sum to zero', NEW.tx_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_tx_zero_sum', TABLE = 'ledger_entry';
  END IF;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER ledger_tx_zero_sum AFTER INSERT ON ledger_entry
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION ledger_tx_must_balance();

CREATE FUNCTION ledger_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is refused: wallets and their ledger stay', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'ledger_append_only', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER ledger_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_entry
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();
CREATE TRIGGER ledger_tx_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_tx
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- The trigger stops a superuser too; the grants stop the service's own role before it gets that far. ledger_tx keeps
-- UPDATE: the foreign key of its lines locks it FOR KEY SHARE, which needs it.
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_entry FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON ledger_tx, wallet FROM PUBLIC, CURRENT_USER;

CREATE TRIGGER wallet_stays BEFORE DELETE OR TRUNCATE ON wallet
  FOR EACH STATEMENT EXECUTE FUNCTION ledger_is_append_only();

-- Holds. One with an amount of zero is the tombstone of a release that came before its reserve.
CREATE TABLE reservation (
  op_key          text PRIMARY KEY,
  -- Absent only on the tombstone of a release that names no wallet.
  wallet_id       uuid,
  amount          numeric(20, 2) NOT NULL CHECK (amount >= 0),
  captured        numeric(20, 2) NOT NULL DEFAULT 0,
  refunded        numeric(20, 2) NOT NULL DEFAULT 0,
  state           text NOT NULL CHECK (state IN ('active', 'captured', 'released', 'expired')),
  reference_id    text NOT NULL,
  -- As the reserve asked; what is in force is expires_at.
  pinned          boolean NOT NULL,
  expires_at      timestamptz(6) NOT NULL,
  -- The reserve's answer, for its repetitions.
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
CREATE INDEX reservation_due ON reservation (wallet_id, expires_at) WHERE state = 'active' AND expires_at < 'infinity';
