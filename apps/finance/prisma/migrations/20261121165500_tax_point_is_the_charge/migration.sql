-- An order's tax point is the time of its charge (spec §7.4), which is the first line of its movement; it used to be
-- that of the commission, posted after it. Orders settled before keep the time they were told.
CREATE OR REPLACE FUNCTION order_settle(p_partner_id uuid, p_environment text, p_order_key text, p_tx_id uuid, p_hash text,
                             p_notes text, p_lines jsonb)
RETURNS TABLE (outcome text, settled_at timestamptz, balance_after numeric) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  w     wallet%ROWTYPE;
  s     settlement%ROWTYPE;
  held  numeric;
  total record;
  at_charge timestamptz;
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

  SELECT min(occurred_at) INTO at_charge FROM ledger_entry WHERE tx_id = p_tx_id AND line = 1;
  at_charge := coalesce(at_charge, w.last_entry_at);

  INSERT INTO settlement (order_key, wallet_id, request_hash, settled_at, balance_after)
  VALUES (p_order_key, w.id, p_hash, at_charge, w.posted);
  INSERT INTO settlement_line (order_key, line_id, quantity, goods_amount, goods_vat_amount, commission_amount, commission_vat_amount)
  SELECT p_order_key, l.line_id, l.quantity, l.goods, l.goods_vat, l.commission, l.commission_vat
  FROM jsonb_to_recordset(p_lines)
    AS l (line_id uuid, quantity integer, goods numeric, goods_vat numeric, commission numeric, commission_vat numeric);
  RETURN QUERY SELECT 'ok', at_charge, w.posted;
END $$;
