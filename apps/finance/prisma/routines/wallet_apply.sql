-- Bench row: top-ups on one hot wallet. One statement locks a wallet, decides a whole batch of operations and posts them.
--
-- Every movement of money is posted here. Each operation has an outcome of its own; one that is refused leaves nothing
-- behind and spoils no other:
--   outcome  ok | no_wallet | insufficient | order_limit | spending_limit | recipient_limit | state | reused
--   posted_id: the transaction that this call posted, not a repetition
--   available: what is left to spend after a reserve; the limit itself, where one refuses it (spec §17.5)
-- p_ops: [{ kind, hold, amount, … }]
--   reserve, pin, release  change the hold alone; a reserve says when its order was submitted (`submitted_at`, now when absent), and
--                          a top-up's which number it is for (`recipient`, a hash of that day)
--   any other kind         posts `lines` (the wallet's first) once for its `key`, and captures or refunds `amount` of `hold`
--                          when `hold_change` says so; `net` is the sum of the wallet's lines, `debited` that of its debits;
--                          `operator`, `request_id` and `approved_by` say whose decision it is, where it is one
CREATE OR REPLACE FUNCTION wallet_apply(p_partner_id uuid, p_environment text, p_ttl interval, p_ops jsonb)
RETURNS TABLE (outcome text, posted_id uuid, transaction_id bigint, balance_after numeric, available numeric,
               occurred_at timestamptz, reference_id text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  w          wallets%ROWTYPE;
  r          reservations%ROWTYPE;
  t          ledger_transactions%ROWTYPE;
  op         record;
  has_wallet boolean;
  is_new     boolean;
  changed    boolean := false;
  at_now     timestamptz;
  lapsed     numeric;
  lapsed_of_day        numeric;
  lapsed_of_day_before numeric;
  -- The day of an order (UTC), what was spent on it, and by how much an operation changes that.
  spends_on    date;
  day_spent    numeric;
  spending     numeric;
  limit_passed numeric;
BEGIN
  SELECT * INTO w FROM wallets WHERE partner_id = p_partner_id AND environment = p_environment FOR NO KEY UPDATE;
  has_wallet := FOUND;
  -- Read under the lock: the database's clock decides what has lapsed.
  at_now := clock_timestamp();
  -- The probe is much cheaper than an update of nothing, and nothing is what is mostly due.
  IF has_wallet AND EXISTS (SELECT 1 FROM reservations
                            WHERE wallet_id = w.id AND state = 'active' AND expires_at <= at_now AND expires_at < 'infinity') THEN
    WITH due AS (
      UPDATE reservations SET state = 'expired', ended_at = at_now
      WHERE wallet_id = w.id AND state = 'active' AND expires_at <= at_now AND expires_at < 'infinity'
      RETURNING amount, coalesce(submitted_on, (created_at AT TIME ZONE 'UTC')::date) AS day)
    SELECT sum(amount), coalesce(sum(amount) FILTER (WHERE day = w.spend_day), 0),
           coalesce(sum(amount) FILTER (WHERE day = w.spend_day - 1), 0)
    INTO lapsed, lapsed_of_day, lapsed_of_day_before FROM due;
    w.held := w.held - lapsed;
    w.spent := w.spent - lapsed_of_day;
    w.spent_before := w.spent_before - lapsed_of_day_before;
    changed := true;
  END IF;

  FOR op IN
    SELECT * FROM jsonb_to_recordset(p_ops) AS o (kind text, hold text, amount numeric, reference text, pinned boolean,
      hold_change text, key text, tx_id uuid, hash text, notes text, net numeric, wallet_lines integer, debits integer, debited numeric, lines jsonb,
      operator text, request_id text, approved_by text, submitted_at timestamptz, recipient text)
  LOOP
    spends_on := NULL;
    outcome := NULL; posted_id := NULL; transaction_id := NULL; balance_after := NULL; available := NULL;
    occurred_at := NULL; reference_id := NULL;

    IF NOT has_wallet THEN
      -- What needs a hold that was never made says so; what would begin something misses the wallet.
      outcome := CASE WHEN op.kind IN ('pin', 'capture', 'refund') THEN 'state' ELSE 'no_wallet' END;
      IF op.kind = 'release' THEN
        INSERT INTO reservations (op_key, amount, state, reference_id, pinned, expires_at, available_after, created_at, ended_at)
        VALUES (op.hold, 0, 'released', op.hold, false, 'infinity', 0, at_now, at_now) ON CONFLICT (op_key) DO NOTHING;
        SELECT * INTO r FROM reservations WHERE op_key = op.hold;
        outcome := CASE WHEN r.wallet_id IS NULL THEN 'ok' ELSE 'reused' END;
      END IF;

    ELSIF op.kind = 'reserve' THEN
      limit_passed := NULL;
      IF w.posted - w.held - op.amount >= w.floor THEN
        spends_on := (coalesce(op.submitted_at, at_now) AT TIME ZONE 'UTC')::date;
        IF w.spend_day IS NULL THEN
          -- A wallet of before days were counted adds them up once.
          w.spend_day := spends_on;
          w.spent := wallet_spent_on(w.id, spends_on);
          w.spent_before := wallet_spent_on(w.id, spends_on - 1);
        ELSIF spends_on > w.spend_day THEN
          w.spent_before := CASE WHEN spends_on = w.spend_day + 1 THEN w.spent ELSE 0 END;
          w.spent := 0;
          w.spend_day := spends_on;
        END IF;
        -- After the balance; of several that are passed, the first is named.
        IF op.amount > w.max_order_amount THEN
          outcome := 'order_limit';
          limit_passed := w.max_order_amount;
        END IF;
        IF outcome IS NULL AND w.daily_spend IS NOT NULL THEN
          day_spent := CASE spends_on WHEN w.spend_day THEN w.spent WHEN w.spend_day - 1 THEN w.spent_before
                       ELSE wallet_spent_on(w.id, spends_on) END;
          IF day_spent + op.amount > w.daily_spend THEN
            outcome := 'spending_limit';
            limit_passed := w.daily_spend;
          END IF;
        END IF;
        IF outcome IS NULL AND w.daily_orders_per_phone IS NOT NULL AND op.recipient IS NOT NULL
          AND (SELECT count(*) FROM reservations o
               WHERE o.wallet_id = w.id AND o.recipient = op.recipient AND o.is_recipient_counted
                 AND (o.state = 'active' OR o.captured > o.refunded)) >= w.daily_orders_per_phone THEN
          outcome := 'recipient_limit';
          limit_passed := w.daily_orders_per_phone;
        END IF;
        IF outcome IS NULL THEN
          INSERT INTO reservations (op_key, wallet_id, amount, state, reference_id, pinned, expires_at, available_after, created_at,
            submitted_on, recipient, is_recipient_counted)
          VALUES (op.hold, w.id, op.amount, 'active', op.reference, op.pinned,
                  CASE WHEN op.pinned THEN 'infinity' ELSE at_now + p_ttl END,
                  w.posted - w.held - op.amount, at_now,
                  nullif(spends_on, (at_now AT TIME ZONE 'UTC')::date), op.recipient,
                  op.recipient IS NOT NULL AND w.daily_orders_per_phone IS NOT NULL)
          ON CONFLICT (op_key) DO NOTHING;
          IF FOUND THEN
            w.held := w.held + op.amount;
            changed := true;
            outcome := 'ok';
            available := w.posted - w.held;
            spending := op.amount;
          END IF;
        END IF;
      ELSE
        outcome := 'insufficient';
      END IF;
      IF outcome IS DISTINCT FROM 'ok' THEN
        -- What is to be refused is a new hold; one that is there already is returned as it is.
        spends_on := NULL;
        SELECT * INTO r FROM reservations WHERE op_key = op.hold;
        IF NOT FOUND THEN
          available := limit_passed;
        ELSIF r.amount > 0 AND (r.wallet_id, r.amount, r.reference_id, r.pinned)
                            IS DISTINCT FROM (w.id, op.amount, op.reference, op.pinned) THEN
          outcome := 'reused';
        ELSIF r.state IN ('active', 'captured') THEN
          outcome := 'ok';
          available := r.available_after;
        ELSE
          -- Released, lapsed, or released before it was made: a hold that no longer holds is not passed off as one.
          outcome := 'state';
        END IF;
      END IF;

    ELSIF op.kind = 'pin' THEN
      UPDATE reservations SET expires_at = 'infinity' WHERE op_key = op.hold AND wallet_id = w.id AND state = 'active';
      outcome := CASE WHEN FOUND THEN 'ok' ELSE 'state' END;

    ELSIF op.kind = 'release' THEN
      UPDATE reservations SET state = 'released', ended_at = at_now
      WHERE op_key = op.hold AND wallet_id = w.id AND state = 'active'
      RETURNING * INTO r;
      IF FOUND THEN
        w.held := w.held - r.amount;
        changed := true;
        spends_on := coalesce(r.submitted_on, (r.created_at AT TIME ZONE 'UTC')::date);
        spending := -r.amount;
      ELSE
        INSERT INTO reservations (op_key, wallet_id, amount, state, reference_id, pinned, expires_at, available_after, created_at, ended_at)
        VALUES (op.hold, w.id, 0, 'released', op.hold, false, 'infinity', 0, at_now, at_now) ON CONFLICT (op_key) DO NOTHING;
        SELECT * INTO r FROM reservations WHERE op_key = op.hold;
      END IF;
      outcome := CASE WHEN r.wallet_id <> w.id THEN 'reused' WHEN r.state = 'captured' THEN 'state' ELSE 'ok' END;

    ELSE
      -- The hold is captured before the key is looked up, so that a first capture pays for one look-up less.
      IF op.hold_change = 'capture' THEN
        UPDATE reservations SET state = 'captured', captured = op.amount, ended_at = at_now
        WHERE op_key = op.hold AND wallet_id = w.id AND state = 'active' AND amount >= op.amount
        RETURNING * INTO r;
        is_new := FOUND;
        IF is_new THEN
          w.held := w.held - r.amount;
          spends_on := coalesce(r.submitted_on, (r.created_at AT TIME ZONE 'UTC')::date);
          spending := op.amount - r.amount;
        END IF;
      ELSE
        is_new := NOT EXISTS (SELECT 1 FROM ledger_transactions WHERE op_key = op.key);
        IF is_new AND w.posted + op.net - w.held < w.floor THEN
          outcome := 'insufficient';
        ELSIF is_new AND op.hold_change = 'refund' THEN
          UPDATE reservations SET refunded = refunded + op.amount
          WHERE op_key = op.hold AND wallet_id = w.id AND state = 'captured' AND refunded + op.amount <= captured
          RETURNING * INTO r;
          IF FOUND THEN
            spends_on := coalesce(r.submitted_on, (r.created_at AT TIME ZONE 'UTC')::date);
            spending := -op.amount;
          ELSE
            outcome := 'state';
          END IF;
        END IF;
      END IF;

      IF outcome IS NULL AND is_new THEN
        outcome := 'ok';
        posted_id := op.tx_id;
        balance_after := w.posted + op.net;
        -- Strictly ascending within the wallet, even when the clock is set back.
        occurred_at := greatest(clock_timestamp(), w.last_entry_at + interval '1 microsecond');
        reference_id := coalesce(op.reference, r.reference_id);
        INSERT INTO ledger_transactions (id, op_key, request_hash, kind, wallet_id, reference_id, balance_after, created_at,
          operator, request_id, approved_by)
        VALUES (op.tx_id, op.key, op.hash, op.kind, w.id, reference_id, balance_after, occurred_at,
          op.operator, op.request_id, op.approved_by);
        IF op.wallet_lines > 0 THEN
          transaction_id := nextval('ledger_transaction_id');
          -- A wallet of before its lines had totals adds them up once.
          IF w.debit_total IS NULL THEN
            SELECT coalesce(-sum(e.amount), 0) INTO w.debit_total FROM ledger_entries e WHERE e.wallet_id = w.id AND e.amount < 0;
          END IF;
          INSERT INTO ledger_entries (tx_id, line, transaction_id, wallet_id, seq, debit_seq, balance_after, debit_total, platform_account,
            amount, reference_type, reference_id, notes, occurred_at, order_goods_vat_amount, order_commission_vat_amount,
            order_total_amount_with_vat, order_total_commission_with_vat)
          SELECT op.tx_id, l.line, CASE l.line WHEN 1 THEN transaction_id ELSE nextval('ledger_transaction_id') END,
                 CASE WHEN l.account IS NULL THEN w.id END,
                 CASE WHEN l.account IS NULL THEN w.last_seq + l.line END,
                 CASE WHEN l.account IS NULL THEN w.last_debit_seq + l.debits END,
                 CASE WHEN l.account IS NULL THEN w.posted + l.total END,
                 CASE WHEN l.account IS NULL THEN w.debit_total + l.debited END,
                 l.account, l.amount, l.type, reference_id, op.notes,
                 occurred_at + (least(l.line, op.wallet_lines) - 1) * interval '1 microsecond',
                 l.goods_vat, l.commission_vat, l.total_with_vat, l.commission_with_vat
          FROM jsonb_to_recordset(op.lines) AS l (line smallint, account text, amount numeric, type text, debits integer, total numeric, debited numeric,
            goods_vat numeric, commission_vat numeric, total_with_vat numeric, commission_with_vat numeric);
          w.posted := balance_after;
          w.last_seq := w.last_seq + op.wallet_lines;
          w.last_debit_seq := w.last_debit_seq + op.debits;
          w.debit_total := w.debit_total + op.debited;
          w.last_entry_at := occurred_at + (op.wallet_lines - 1) * interval '1 microsecond';
          changed := true;
        END IF;
      ELSIF outcome IS NULL THEN
        -- A repetition: the first outcome for the same values, a refusal for others or for a hold that is not there to capture.
        SELECT * INTO t FROM ledger_transactions WHERE op_key = op.key;
        IF t.wallet_id = w.id AND t.request_hash = op.hash THEN
          outcome := 'ok';
          balance_after := t.balance_after; occurred_at := t.created_at; reference_id := t.reference_id;
          SELECT e.transaction_id INTO transaction_id FROM ledger_entries e WHERE e.tx_id = t.id AND e.line = 1;
        ELSIF t.id IS NULL OR op.kind = 'capture' AND t.wallet_id <> w.id OR op.kind = 'settle' AND t.kind <> 'settle' THEN
          outcome := 'state';
        ELSE
          outcome := 'reused';
        END IF;
      END IF;
    END IF;
    -- What is given back is given back to its order's day, and to none that is longer past than the one before.
    IF spends_on = w.spend_day THEN
      w.spent := w.spent + spending;
    ELSIF spends_on = w.spend_day - 1 THEN
      w.spent_before := w.spent_before + spending;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF changed THEN
    UPDATE wallets SET posted = w.posted, held = w.held, last_seq = w.last_seq, last_debit_seq = w.last_debit_seq, debit_total = w.debit_total,
                      last_entry_at = w.last_entry_at, spend_day = w.spend_day, spent = w.spent, spent_before = w.spent_before
    WHERE id = w.id;
  END IF;
END $$;
