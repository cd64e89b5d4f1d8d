-- Billing statements (spec §9): locked rows, one chain for each wallet, cut by the ledger's positions.

CREATE TABLE statement (
  id               uuid PRIMARY KEY,
  wallet_id        uuid NOT NULL REFERENCES wallet (id),
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
    REFERENCES statement (wallet_id, sequence_number, period_to, up_to_seq, closing_balance)
);
CREATE INDEX statement_email_due ON statement (email_due_at) WHERE email_status = 'Pending';

-- The lines as they were when it was made, in pieces of 500: an answer of any length is read piece by piece, and what was
-- issued can be held against the ledger byte for byte. json and not jsonb, which would not keep the bytes.
CREATE TABLE statement_piece (
  statement_id uuid NOT NULL REFERENCES statement (id),
  piece        integer NOT NULL CHECK (piece >= 0),
  lines        json NOT NULL,
  PRIMARY KEY (statement_id, piece)
);

CREATE FUNCTION statement_is_locked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- The generated column is not worked out yet when the trigger runs.
  free CONSTANT text[] := '{email_status,email_status_reason,email_sent_at,email_attempts,email_due_at,previous_number}';
BEGIN
  IF TG_OP = 'UPDATE' AND TG_LEVEL = 'ROW' AND to_jsonb(OLD) - free = to_jsonb(NEW) - free THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION '% of % is refused: a statement is locked', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', CONSTRAINT = 'statement_locked', TABLE = TG_TABLE_NAME;
END $$;

CREATE TRIGGER statement_locked BEFORE UPDATE ON statement FOR EACH ROW EXECUTE FUNCTION statement_is_locked();
CREATE TRIGGER statement_stays BEFORE DELETE OR TRUNCATE ON statement
  FOR EACH STATEMENT EXECUTE FUNCTION statement_is_locked();
CREATE TRIGGER statement_piece_locked BEFORE UPDATE OR DELETE OR TRUNCATE ON statement_piece
  FOR EACH STATEMENT EXECUTE FUNCTION statement_is_locked();
REVOKE DELETE, TRUNCATE ON statement FROM PUBLIC, CURRENT_USER;
REVOKE DELETE, TRUNCATE ON statement_piece FROM PUBLIC, CURRENT_USER;

-- A wallet's lines after one position up to another, as a statement keeps them.
CREATE FUNCTION statement_lines(p_wallet_id uuid, p_after bigint, p_up_to bigint) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(json_build_object(
           'transactionId', e.transaction_id::text,
           'occurredAt', to_char(e.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
           'transactionType', e.transaction_type,
           'referenceType', e.reference_type,
           'referenceId', e.reference_id,
           'amount', abs(e.amount)::text,
           'balanceAfter', e.balance_after::text,
           'notes', e.notes,
           'orderGoodsVatAmount', e.order_goods_vat_amount::text,
           'orderCommissionVatAmount', e.order_commission_vat_amount::text,
           'orderTotalAmountWithVat', e.order_total_amount_with_vat::text,
           'orderTotalCommissionWithVat', e.order_total_commission_with_vat::text) ORDER BY e.seq), '[]')
  FROM ledger_entry e
  WHERE e.wallet_id = p_wallet_id AND e.seq > p_after AND e.seq <= p_up_to
$$;

-- Where a wallet's ledger stood before a moment: 0 and 0.00 before its first entry. Time ascends with seq (docs/adr/0007),
-- so what it answers is a cut by position.
CREATE FUNCTION statement_cut(p_wallet_id uuid, p_before timestamptz, OUT seq bigint, OUT balance numeric) LANGUAGE sql STABLE AS $$
  SELECT coalesce(max(e.seq), 0), coalesce(max(e.balance_after), 0)
  FROM (SELECT seq, balance_after FROM ledger_entry
        WHERE wallet_id = p_wallet_id AND occurred_at < p_before ORDER BY occurred_at DESC LIMIT 1) e
$$;

-- Makes the next statement of a wallet whose ledger was closed up to p_to before (docs/adr/0009).
--   outcome  ok | conflict   (another one with this number at the same time is a unique violation)
CREATE FUNCTION statement_create(p_id uuid, p_wallet_id uuid, p_from timestamptz, p_to timestamptz, p_global_id text, p_name text,
                                 p_tax text, p_platform_tax text, p_nature text, p_email_to text, p_email_status text,
                                 p_email_reason text)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  piece_size CONSTANT integer := 500;
  last     statement%ROWTYPE;
  from_cut record;
  to_cut   record;
  number   integer;
BEGIN
  SELECT * INTO last FROM statement WHERE wallet_id = p_wallet_id ORDER BY sequence_number DESC LIMIT 1;
  IF FOUND THEN
    IF last.period_to <> p_from THEN
      RETURN 'conflict';
    END IF;
    SELECT last.up_to_seq AS seq, last.closing_balance AS balance INTO from_cut;
  ELSE
    SELECT * INTO from_cut FROM statement_cut(p_wallet_id, p_from);
  END IF;
  SELECT * INTO to_cut FROM statement_cut(p_wallet_id, p_to);
  number := coalesce(last.sequence_number, 0) + 1;

  INSERT INTO statement (id, wallet_id, partner_id, environment, sequence_number, statement_number, period_from, period_to,
    generated_at, after_seq, up_to_seq, currency, opening_balance, closing_balance, total_debits, total_credits,
    partner_global_id, partner_name, partner_tax_registration_number, platform_tax_registration_number, document_nature,
    email_to, email_status, email_status_reason, email_due_at)
  SELECT p_id, w.id, w.partner_id, w.environment, number,
         'ST-' || p_global_id || '-' || lpad(number::text, greatest(6, length(number::text)), '0'), p_from, p_to,
         date_trunc('milliseconds', clock_timestamp()), from_cut.seq, to_cut.seq, w.currency, from_cut.balance, to_cut.balance,
         t.debits, t.credits, p_global_id, p_name, p_tax, p_platform_tax, p_nature,
         p_email_to, p_email_status, p_email_reason, clock_timestamp()
  FROM wallet w
  CROSS JOIN (SELECT coalesce(-sum(amount) FILTER (WHERE amount < 0), 0) AS debits,
                     coalesce(sum(amount) FILTER (WHERE amount > 0), 0) AS credits
              FROM ledger_entry WHERE wallet_id = p_wallet_id AND seq > from_cut.seq AND seq <= to_cut.seq) t
  WHERE w.id = p_wallet_id;

  INSERT INTO statement_piece (statement_id, piece, lines)
  SELECT p_id, n, statement_lines(p_wallet_id, from_cut.seq + n * piece_size, least(from_cut.seq + (n + 1) * piece_size, to_cut.seq))
  FROM generate_series(0, (to_cut.seq - from_cut.seq + piece_size - 1) / piece_size - 1) AS n;
  RETURN 'ok';
END $$;
