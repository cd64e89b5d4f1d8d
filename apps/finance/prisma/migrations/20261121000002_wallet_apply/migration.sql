-- Applies a list of operations to one wallet, in their order, under its row lock, and answers each by itself: one
-- that is refused leaves nothing behind and does not spoil the others. Returns a row for each operation:
--   outcome  ok | no_wallet | insufficient | state | reused   (the service turns them into error codes)
-- p_ops: [{ kind, key, tx_id, amount, reference, notes, hash, pinned, reservation }]; `key` is the reservation's op_key
-- for reserve, pin, capture and release, and the ledger_tx's op_key for refund, credit and adjust (a refund names its
-- reservation too).
CREATE FUNCTION wallet_apply(p_partner_id uuid, p_environment text, p_ttl interval, p_ops jsonb)
RETURNS TABLE (outcome text, transaction_id bigint, balance_after numeric, available numeric, occurred_at timestamptz, reference_id text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  w             wallet%ROWTYPE;
  r             reservation%ROWTYPE;
  t             ledger_tx%ROWTYPE;
  op            record;
  has_wallet    boolean;
  changed       boolean := false;
  at_now        timestamptz;
  lapsed        numeric;
  tx_key        text;
  delta         numeric;
  account       text;
  reference_as  text;
BEGIN
  SELECT * INTO w FROM wallet WHERE partner_id = p_partner_id AND environment = p_environment FOR NO KEY UPDATE;
  has_wallet := FOUND;
  -- Read under the lock: the database's clock decides what has lapsed.
  at_now := clock_timestamp();
  -- The probe is much cheaper than an update of nothing, and nothing is what is mostly due.
  IF has_wallet AND EXISTS (SELECT 1 FROM reservation
                            WHERE wallet_id = w.id AND state = 'active' AND expires_at <= at_now AND expires_at < 'infinity') THEN
    WITH due AS (
      UPDATE reservation SET state = 'expired', ended_at = at_now
      WHERE wallet_id = w.id AND state = 'active' AND expires_at <= at_now AND expires_at < 'infinity'
      RETURNING amount)
    SELECT sum(amount) INTO lapsed FROM due;
    w.held := w.held - lapsed;
    changed := true;
  END IF;

  FOR op IN
    SELECT * FROM jsonb_to_recordset(p_ops) AS o(kind text, key text, tx_id uuid, amount numeric, reference text,
                                                 notes text, hash text, pinned boolean, reservation text)
  LOOP
    outcome := NULL; transaction_id := NULL; balance_after := NULL; occurred_at := NULL; reference_id := NULL;
    available := NULL; tx_key := NULL; delta := NULL;

    IF NOT has_wallet THEN
      -- What needs a hold that was never made says so; what would begin something misses the wallet.
      outcome := CASE WHEN op.kind IN ('pin', 'capture', 'refund') THEN 'state' ELSE 'no_wallet' END;
      IF op.kind = 'release' THEN
        INSERT INTO reservation (op_key, amount, state, reference_id, pinned, expires_at, available_after, created_at, ended_at)
        VALUES (op.key, 0, 'released', op.key, false, 'infinity', 0, at_now, at_now) ON CONFLICT (op_key) DO NOTHING;
        SELECT * INTO r FROM reservation WHERE op_key = op.key;
        outcome := CASE WHEN r.wallet_id IS NULL THEN 'ok' ELSE 'reused' END;
      END IF;

    ELSIF op.kind = 'reserve' THEN
      IF w.posted - w.held - op.amount >= w.floor THEN
        INSERT INTO reservation (op_key, wallet_id, amount, state, reference_id, pinned, expires_at, available_after, created_at)
        VALUES (op.key, w.id, op.amount, 'active', op.reference, op.pinned,
                CASE WHEN op.pinned THEN 'infinity' ELSE at_now + p_ttl END,
                w.posted - w.held - op.amount, at_now)
        ON CONFLICT (op_key) DO NOTHING;
        IF FOUND THEN
          w.held := w.held + op.amount;
          changed := true;
          outcome := 'ok';
          available := w.posted - w.held;
        END IF;
      END IF;
      IF outcome IS NULL THEN
        SELECT * INTO r FROM reservation WHERE op_key = op.key;
        IF NOT FOUND THEN
          outcome := 'insufficient';
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
      UPDATE reservation SET expires_at = 'infinity' WHERE op_key = op.key AND wallet_id = w.id AND state = 'active';
      outcome := CASE WHEN FOUND THEN 'ok' ELSE 'state' END;

    ELSIF op.kind = 'capture' THEN
      UPDATE reservation SET state = 'captured', captured = op.amount, ended_at = at_now
      WHERE op_key = op.key AND wallet_id = w.id AND state = 'active' AND amount >= op.amount
      RETURNING * INTO r;
      tx_key := 'capture:' || op.key;
      IF FOUND THEN
        w.held := w.held - r.amount;
        delta := -op.amount;
        account := 'sales'; reference_as := 'Order'; reference_id := r.reference_id;
      ELSE
        SELECT * INTO r FROM reservation WHERE op_key = op.key AND wallet_id = w.id;
        IF NOT FOUND OR r.state <> 'captured' THEN
          outcome := 'state';
        END IF;
      END IF;

    ELSIF op.kind = 'release' THEN
      UPDATE reservation SET state = 'released', ended_at = at_now
      WHERE op_key = op.key AND wallet_id = w.id AND state = 'active'
      RETURNING * INTO r;
      IF FOUND THEN
        w.held := w.held - r.amount;
        changed := true;
      ELSE
        INSERT INTO reservation (op_key, wallet_id, amount, state, reference_id, pinned, expires_at, available_after, created_at, ended_at)
        VALUES (op.key, w.id, 0, 'released', op.key, false, 'infinity', 0, at_now, at_now) ON CONFLICT (op_key) DO NOTHING;
        SELECT * INTO r FROM reservation WHERE op_key = op.key;
      END IF;
      outcome := CASE WHEN r.wallet_id <> w.id THEN 'reused' WHEN r.state = 'captured' THEN 'state' ELSE 'ok' END;

    ELSIF op.kind IN ('refund', 'credit', 'adjust') THEN
      tx_key := op.key;
      reference_id := op.tx_id::text;
      PERFORM 1 FROM ledger_tx WHERE op_key = op.key;
      IF FOUND THEN
        NULL; -- answered below, as a repetition
      ELSIF op.kind = 'refund' THEN
        UPDATE reservation SET refunded = refunded + op.amount
        WHERE op_key = op.reservation AND wallet_id = w.id AND state = 'captured' AND refunded + op.amount <= captured
        RETURNING * INTO r;
        IF FOUND THEN
          delta := op.amount;
          account := 'refunds'; reference_as := 'Refund'; reference_id := r.reference_id;
        ELSE
          outcome := 'state';
        END IF;
      ELSIF w.posted + op.amount - w.held < w.floor THEN
        outcome := 'insufficient';
      ELSE
        delta := op.amount;
        account := 'cash'; reference_as := CASE op.kind WHEN 'credit' THEN 'Deposit' ELSE 'Adjustment' END;
      END IF;

    ELSE
      RAISE EXCEPTION 'unknown wallet operation %', op.kind;
    END IF;

    IF delta IS NOT NULL THEN
      changed := true;
      outcome := 'ok';
      w.posted := w.posted + delta;
      w.last_seq := w.last_seq + 1;
      IF delta < 0 THEN w.last_debit_seq := w.last_debit_seq + 1; END IF;
      -- Strictly ascending within the wallet, even when the clock is set back.
      w.last_entry_at := greatest(clock_timestamp(), w.last_entry_at + interval '1 microsecond');
      transaction_id := nextval('ledger_transaction_id');
      balance_after := w.posted;
      occurred_at := w.last_entry_at;
      INSERT INTO ledger_tx (id, op_key, request_hash, kind, wallet_id, reference_id, created_at)
      VALUES (op.tx_id, tx_key, op.hash, op.kind, w.id, reference_id, w.last_entry_at);
      INSERT INTO ledger_entry (tx_id, line, transaction_id, wallet_id, seq, debit_seq, balance_after, platform_account,
                                amount, reference_type, reference_id, notes, occurred_at)
      VALUES (op.tx_id, 1, transaction_id, w.id, w.last_seq, w.last_debit_seq, w.posted, NULL,
              delta, reference_as, reference_id, op.notes, w.last_entry_at),
             (op.tx_id, 2, nextval('ledger_transaction_id'), NULL, NULL, NULL, NULL, account,
              -delta, reference_as, reference_id, op.notes, w.last_entry_at);
    ELSIF outcome IS NULL THEN
      -- A repetition: the first outcome for the same values, a refusal for others.
      SELECT * INTO t FROM ledger_tx WHERE op_key = tx_key;
      IF t.wallet_id <> w.id OR t.request_hash <> op.hash THEN
        outcome := 'reused';
      ELSE
        outcome := 'ok';
        SELECT e.transaction_id, e.balance_after, e.occurred_at, e.reference_id
        INTO transaction_id, balance_after, occurred_at, reference_id
        FROM ledger_entry e WHERE e.tx_id = t.id AND e.line = 1;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF changed THEN
    UPDATE wallet SET posted = w.posted, held = w.held, last_seq = w.last_seq, last_debit_seq = w.last_debit_seq,
                      last_entry_at = w.last_entry_at
    WHERE id = w.id;
  END IF;
END $$;
