-- Scent orders are settled line by line, and given back by units (spec §7.2, §8.2).

ALTER TABLE ledger_tx DROP CONSTRAINT ledger_tx_kind_check;
ALTER TABLE ledger_tx ADD CONSTRAINT ledger_tx_kind_check
  CHECK (kind IN ('capture', 'refund', 'credit', 'adjust', 'settle', 'refund_units'));

-- An order whose charge and commission are in the ledger.
CREATE TABLE settlement (
  order_key     text PRIMARY KEY,
  wallet_id     uuid NOT NULL,
  request_hash  text NOT NULL,
  settled_at    timestamptz(6) NOT NULL,
  balance_after numeric(20, 2) NOT NULL
);

-- What each line moved, and how many of its units were given back.
CREATE TABLE settlement_line (
  order_key             text NOT NULL REFERENCES settlement,
  line_id               uuid NOT NULL,
  quantity              integer NOT NULL CHECK (quantity > 0),
  goods_amount          numeric(20, 2) NOT NULL CHECK (goods_amount >= 0),
  goods_vat_amount      numeric(20, 2) NOT NULL CHECK (goods_vat_amount >= 0),
  commission_amount     numeric(20, 2) NOT NULL CHECK (commission_amount >= 0),
  commission_vat_amount numeric(20, 2) NOT NULL CHECK (commission_vat_amount >= 0),
  refunded_quantity     integer NOT NULL DEFAULT 0,
  PRIMARY KEY (order_key, line_id),
  CONSTRAINT settlement_line_refunded_within CHECK (refunded_quantity BETWEEN 0 AND quantity)
) WITH (fillfactor = 80);

-- Units given back, once for each operation key, with what each line gave back for the repetitions.
CREATE TABLE settlement_refund (
  op_key             text PRIMARY KEY,
  order_key          text NOT NULL REFERENCES settlement,
  request_hash       text NOT NULL,
  refunded_at        timestamptz(6) NOT NULL,
  refunded_amount    numeric(20, 2) NOT NULL CHECK (refunded_amount >= 0),
  clawed_back_amount numeric(20, 2) NOT NULL CHECK (clawed_back_amount >= 0),
  lines              jsonb NOT NULL
);
CREATE INDEX settlement_refund_order ON settlement_refund (order_key);

-- Writes one movement of a locked wallet: the wallet's lines in the order given, then the platform's contra lines;
-- amounts of zero post nothing. Returns the wallet as it stands then; the caller stores it.
--   p_wallet_lines: [{ amount, reference_type, vat figures … }]   p_contra_lines: [{ account, amount, reference_type }]
CREATE FUNCTION wallet_post(w wallet, p_tx_id uuid, p_op_key text, p_hash text, p_kind text, p_reference text,
                            p_notes text, p_wallet_lines jsonb, p_contra_lines jsonb)
RETURNS wallet LANGUAGE plpgsql AS $$
DECLARE
  l       record;
  at_line smallint := 0;
BEGIN
  IF NOT EXISTS (SELECT 1 FROM jsonb_array_elements(p_wallet_lines || p_contra_lines) e WHERE (e ->> 'amount')::numeric <> 0) THEN
    RETURN w;
  END IF;
  INSERT INTO ledger_tx (id, op_key, request_hash, kind, wallet_id, reference_id, created_at)
  VALUES (p_tx_id, p_op_key, p_hash, p_kind, w.id, p_reference, greatest(clock_timestamp(), w.last_entry_at + interval '1 microsecond'));
  FOR l IN
    SELECT * FROM jsonb_to_recordset(p_wallet_lines) AS e (amount numeric, reference_type text, goods_vat numeric,
      commission_vat numeric, total_with_vat numeric, commission_with_vat numeric)
    WHERE amount <> 0
  LOOP
    at_line := at_line + 1;
    w.posted := w.posted + l.amount;
    w.last_seq := w.last_seq + 1;
    IF l.amount < 0 THEN w.last_debit_seq := w.last_debit_seq + 1; END IF;
    -- Strictly ascending within the wallet, even when the clock is set back.
    w.last_entry_at := greatest(clock_timestamp(), w.last_entry_at + interval '1 microsecond');
    INSERT INTO ledger_entry (tx_id, line, wallet_id, seq, debit_seq, balance_after, amount, reference_type, reference_id,
      notes, occurred_at, order_goods_vat_amount, order_commission_vat_amount, order_total_amount_with_vat,
      order_total_commission_with_vat)
    VALUES (p_tx_id, at_line, w.id, w.last_seq, w.last_debit_seq, w.posted, l.amount, l.reference_type, p_reference,
      p_notes, w.last_entry_at, l.goods_vat, l.commission_vat, l.total_with_vat, l.commission_with_vat);
  END LOOP;
  INSERT INTO ledger_entry (tx_id, line, platform_account, amount, reference_type, reference_id, notes, occurred_at)
  SELECT p_tx_id, at_line + row_number() OVER (ORDER BY e.ordinality), e.account, e.amount, e.reference_type, p_reference, p_notes, w.last_entry_at
  FROM ROWS FROM (jsonb_to_recordset(p_contra_lines) AS (account text, amount numeric, reference_type text)) WITH ORDINALITY
    AS e (account, amount, reference_type, ordinality)
  WHERE e.amount <> 0;
  RETURN w;
END $$;

-- Captures an order's reservation for the sum of its lines and credits the commission.
--   outcome  ok | no_wallet | state | reused
--   p_lines: [{ line_id, quantity, goods, goods_vat, commission, commission_vat }]
CREATE FUNCTION order_settle(p_partner_id uuid, p_environment text, p_order_key text, p_tx_id uuid, p_hash text,
                             p_notes text, p_lines jsonb)
RETURNS TABLE (outcome text, settled_at timestamptz, balance_after numeric) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  w     wallet%ROWTYPE;
  s     settlement%ROWTYPE;
  held  numeric;
  total record;
BEGIN
  SELECT * INTO w FROM wallet WHERE partner_id = p_partner_id AND environment = p_environment FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'no_wallet', NULL::timestamptz, NULL::numeric;
    RETURN;
  END IF;
  SELECT * INTO s FROM settlement WHERE order_key = p_order_key;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN s.wallet_id = w.id AND s.request_hash = p_hash THEN 'ok' ELSE 'reused' END,
                        s.settled_at, s.balance_after;
    RETURN;
  END IF;

  SELECT sum(goods) AS goods, sum(goods_vat) AS goods_vat, sum(commission) AS commission,
         sum(commission_vat) AS commission_vat, sum(goods + goods_vat) AS charge, sum(commission + commission_vat) AS credit
  INTO total
  FROM jsonb_to_recordset(p_lines) AS l (goods numeric, goods_vat numeric, commission numeric, commission_vat numeric);

  IF total.charge > 0 THEN
    UPDATE reservation SET state = 'captured', captured = total.charge, ended_at = clock_timestamp()
    WHERE op_key = p_order_key AND wallet_id = w.id AND state = 'active' AND amount >= total.charge
    RETURNING amount INTO held;
    IF NOT FOUND THEN
      RETURN QUERY SELECT 'state', NULL::timestamptz, NULL::numeric;
      RETURN;
    END IF;
    w.held := w.held - held;
  END IF;

  w := wallet_post(w, p_tx_id, 'capture:' || p_order_key, p_hash, 'settle', p_order_key, p_notes,
    jsonb_build_array(
      jsonb_build_object('amount', -total.charge, 'reference_type', 'Order', 'goods_vat', total.goods_vat,
        'commission_vat', total.commission_vat, 'total_with_vat', total.charge, 'commission_with_vat', total.credit),
      jsonb_build_object('amount', total.credit, 'reference_type', 'Commission')),
    jsonb_build_array(
      jsonb_build_object('account', 'sales', 'amount', total.goods, 'reference_type', 'Order'),
      jsonb_build_object('account', 'vat', 'amount', total.goods_vat, 'reference_type', 'Order'),
      jsonb_build_object('account', 'commission', 'amount', -total.commission, 'reference_type', 'Commission'),
      jsonb_build_object('account', 'vat', 'amount', -total.commission_vat, 'reference_type', 'Commission')));
  IF total.charge > 0 OR total.credit > 0 THEN
    UPDATE wallet SET posted = w.posted, held = w.held, last_seq = w.last_seq, last_debit_seq = w.last_debit_seq,
                      last_entry_at = w.last_entry_at
    WHERE id = w.id;
  ELSE
    w.last_entry_at := clock_timestamp();
  END IF;

  INSERT INTO settlement (order_key, wallet_id, request_hash, settled_at, balance_after)
  VALUES (p_order_key, w.id, p_hash, w.last_entry_at, w.posted);
  INSERT INTO settlement_line (order_key, line_id, quantity, goods_amount, goods_vat_amount, commission_amount, commission_vat_amount)
  SELECT p_order_key, l.line_id, l.quantity, l.goods, l.goods_vat, l.commission, l.commission_vat
  FROM jsonb_to_recordset(p_lines)
    AS l (line_id uuid, quantity integer, goods numeric, goods_vat numeric, commission numeric, commission_vat numeric);
  RETURN QUERY SELECT 'ok', w.last_entry_at, w.posted;
END $$;

-- Gives units of a settled order back.
--   outcome  ok | no_wallet | state | insufficient | reused      p_lines: [{ line_id, quantity }], no line twice
-- All of an order's lines are changed under its wallet's lock only, so what is read here does not move.
CREATE FUNCTION order_refund_units(p_partner_id uuid, p_environment text, p_op_key text, p_order_key text, p_tx_id uuid,
                                   p_hash text, p_notes text, p_lines jsonb)
RETURNS TABLE (outcome text, refunded_at timestamptz, refunded_amount numeric, clawed_back_amount numeric, lines jsonb)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  w     wallet%ROWTYPE;
  f     settlement_refund%ROWTYPE;
  given record;
BEGIN
  SELECT * INTO w FROM wallet WHERE partner_id = p_partner_id AND environment = p_environment FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'no_wallet', NULL::timestamptz, NULL::numeric, NULL::numeric, NULL::jsonb;
    RETURN;
  END IF;
  SELECT * INTO f FROM settlement_refund WHERE op_key = p_op_key;
  IF FOUND THEN
    RETURN QUERY SELECT CASE WHEN f.order_key = p_order_key AND f.request_hash = p_hash THEN 'ok' ELSE 'reused' END,
                        f.refunded_at, f.refunded_amount, f.clawed_back_amount, f.lines;
    RETURN;
  END IF;

  -- Each figure is what all units given back so far come to, less what those before came to: parts add up to the whole.
  SELECT count(*) AS found, sum(g.goods) AS goods, sum(g.goods_vat) AS goods_vat, sum(g.commission) AS commission,
         sum(g.commission_vat) AS commission_vat, sum(g.goods + g.goods_vat) AS refund, sum(g.commission + g.commission_vat) AS clawback,
         jsonb_agg(jsonb_build_object('line_id', g.line_id, 'quantity', g.quantity, 'goods', g.goods::text,
           'goods_vat', g.goods_vat::text, 'commission', g.commission::text, 'commission_vat', g.commission_vat::text) ORDER BY g.position) AS lines
  INTO given
  FROM (
    SELECT a.line_id, a.quantity, a.position,
           round(l.goods_amount * (l.refunded_quantity + a.quantity) / l.quantity, 2)
             - round(l.goods_amount * l.refunded_quantity / l.quantity, 2) AS goods,
           round(l.goods_vat_amount * (l.refunded_quantity + a.quantity) / l.quantity, 2)
             - round(l.goods_vat_amount * l.refunded_quantity / l.quantity, 2) AS goods_vat,
           round(l.commission_amount * (l.refunded_quantity + a.quantity) / l.quantity, 2)
             - round(l.commission_amount * l.refunded_quantity / l.quantity, 2) AS commission,
           round(l.commission_vat_amount * (l.refunded_quantity + a.quantity) / l.quantity, 2)
             - round(l.commission_vat_amount * l.refunded_quantity / l.quantity, 2) AS commission_vat
    FROM ROWS FROM (jsonb_to_recordset(p_lines) AS (line_id uuid, quantity integer)) WITH ORDINALITY AS a (line_id, quantity, position)
    JOIN settlement s ON s.order_key = p_order_key AND s.wallet_id = w.id
    JOIN settlement_line l ON l.order_key = s.order_key AND l.line_id = a.line_id AND l.refunded_quantity + a.quantity <= l.quantity
  ) g;
  IF given.found <> jsonb_array_length(p_lines) THEN
    RETURN QUERY SELECT 'state', NULL::timestamptz, NULL::numeric, NULL::numeric, NULL::jsonb;
    RETURN;
  END IF;
  IF w.posted + given.refund - given.clawback - w.held < w.floor THEN
    RETURN QUERY SELECT 'insufficient', NULL::timestamptz, NULL::numeric, NULL::numeric, NULL::jsonb;
    RETURN;
  END IF;

  UPDATE settlement_line l SET refunded_quantity = l.refunded_quantity + a.quantity
  FROM jsonb_to_recordset(p_lines) AS a (line_id uuid, quantity integer)
  WHERE l.order_key = p_order_key AND l.line_id = a.line_id;
  UPDATE reservation SET refunded = refunded + given.refund WHERE op_key = p_order_key AND given.refund > 0;

  w := wallet_post(w, p_tx_id, 'refund_units:' || p_op_key, p_hash, 'refund_units', p_order_key, p_notes,
    jsonb_build_array(
      jsonb_build_object('amount', given.refund, 'reference_type', 'Refund'),
      jsonb_build_object('amount', -given.clawback, 'reference_type', 'CommissionClawback')),
    jsonb_build_array(
      jsonb_build_object('account', 'refunds', 'amount', -given.goods, 'reference_type', 'Refund'),
      jsonb_build_object('account', 'vat', 'amount', -given.goods_vat, 'reference_type', 'Refund'),
      jsonb_build_object('account', 'commission', 'amount', given.commission, 'reference_type', 'CommissionClawback'),
      jsonb_build_object('account', 'vat', 'amount', given.commission_vat, 'reference_type', 'CommissionClawback')));
  IF given.refund > 0 OR given.clawback > 0 THEN
    UPDATE wallet SET posted = w.posted, last_seq = w.last_seq, last_debit_seq = w.last_debit_seq, last_entry_at = w.last_entry_at
    WHERE id = w.id;
  ELSE
    w.last_entry_at := clock_timestamp();
  END IF;
  INSERT INTO settlement_refund (op_key, order_key, request_hash, refunded_at, refunded_amount, clawed_back_amount, lines)
  VALUES (p_op_key, p_order_key, p_hash, w.last_entry_at, given.refund, given.clawback, given.lines);
  RETURN QUERY SELECT 'ok', w.last_entry_at, given.refund, given.clawback, given.lines;
END $$;
