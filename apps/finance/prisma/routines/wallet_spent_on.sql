-- Invariant: spending keeps to its limits. What the orders of a day come to, where the wallet's row does not have it.
--
-- Holds that are active, and charges less what was given back of them, of orders that were submitted on that day (UTC). Charges
-- are found from the beginning of the day on, and an hour before it, for the clocks of two services may differ.
CREATE OR REPLACE FUNCTION wallet_spent_on(p_wallet_id uuid, p_day date)
RETURNS numeric
LANGUAGE sql AS $$
  SELECT coalesce(sum(o.amount), 0)
  FROM (
    SELECT r.amount, r.submitted_on, r.created_at FROM reservations r WHERE r.wallet_id = p_wallet_id AND r.state = 'active'
    UNION ALL
    SELECT r.captured - r.refunded, r.submitted_on, r.created_at
    FROM ledger_entries e
    JOIN ledger_transactions t ON t.id = e.tx_id
    JOIN reservations r ON r.op_key = substr(t.op_key, 9) AND r.wallet_id = p_wallet_id AND r.state = 'captured'
    WHERE e.wallet_id = p_wallet_id AND e.occurred_at >= p_day::timestamp AT TIME ZONE 'UTC' - interval '1 hour'
      AND e.reference_type = 'Order' AND t.op_key LIKE 'capture:%') AS o
  WHERE coalesce(o.submitted_on, (o.created_at AT TIME ZONE 'UTC')::date) = p_day
$$;
