import type { Queryable } from '@reseller/database';

const SETTLED = `(SELECT DISTINCT l.order_key, t.wallet_id FROM settlement_lines l JOIN ledger_transactions t ON t.id = l.tx_id)`;

const spentOn = (day: string): string => `(
      SELECT coalesce(sum(CASE r.state WHEN 'active' THEN r.amount ELSE r.captured - r.refunded END), 0)
      FROM reservations r WHERE r.wallet_id = w.id AND r.state IN ('active', 'captured')
        AND coalesce(r.submitted_on, (r.created_at AT TIME ZONE 'UTC')::date) = ${day})`;

/** Each query returns the rows that break an invariant; all of them must be empty once things are quiet. */
const INVARIANTS: Record<string, string> = {
  'each transaction sums to zero': `
    SELECT t.id FROM ledger_transactions t LEFT JOIN ledger_entries e ON e.tx_id = t.id
    GROUP BY t.id HAVING coalesce(sum(e.amount), CASE WHEN t.kind IN ('settle', 'refund_units') THEN 0 ELSE -1 END) <> 0`,
  'posted is the sum of the entries': `
    SELECT w.id, w.posted FROM wallets w LEFT JOIN ledger_entries e ON e.wallet_id = w.id
    GROUP BY w.id HAVING w.posted <> coalesce(sum(e.amount), 0)`,
  'posted is the last balance_after': `
    SELECT w.id FROM wallets w JOIN ledger_entries e ON e.wallet_id = w.id AND e.seq = w.last_seq
    WHERE w.posted <> e.balance_after OR w.last_debit_seq <> e.debit_seq OR w.debit_total IS DISTINCT FROM e.debit_total OR w.last_entry_at < e.occurred_at`,
  'lines run without gaps, and balances, running totals, ids, times and ordinals with them': `
    SELECT * FROM (
      SELECT e.*, w.floor,
             row_number() OVER o AS expected_seq,
             sum(e.amount) OVER o AS expected_balance,
             count(*) FILTER (WHERE e.amount < 0) OVER o AS expected_debit_seq,
             -sum(least(e.amount, 0)) OVER o AS expected_debit_total,
             lag(e.transaction_id) OVER o AS last_id,
             lag(e.occurred_at) OVER o AS last_time
      FROM ledger_entries e JOIN wallets w ON w.id = e.wallet_id
      WINDOW o AS (PARTITION BY e.wallet_id ORDER BY e.seq)) e
    WHERE seq <> expected_seq OR balance_after <> expected_balance OR debit_seq <> expected_debit_seq
       OR debit_total IS DISTINCT FROM expected_debit_total
       OR transaction_id <= last_id OR occurred_at <= last_time OR balance_after < floor`,
  'last_seq counts the lines': `
    SELECT w.id FROM wallets w WHERE w.last_seq <> (SELECT count(*) FROM ledger_entries e WHERE e.wallet_id = w.id)`,
  'held is the sum of the active reservations': `
    SELECT w.id, w.held FROM wallets w
    WHERE w.held <> (SELECT coalesce(sum(r.amount), 0) FROM reservations r WHERE r.wallet_id = w.id AND r.state = 'active')`,
  'what is spent of a day is what its orders hold and were charged, without what was given back': `
    SELECT w.id, w.spend_day::text, w.spent, w.spent_before FROM wallets w WHERE w.spend_day > '-infinity' AND (
      w.spent <> ${spentOn('w.spend_day')} OR w.spent <> wallet_spent_on(w.id, w.spend_day)
      OR w.spent_before <> ${spentOn('w.spend_day - 1')} OR w.spent_before <> wallet_spent_on(w.id, w.spend_day - 1))`,
  'a wallet has the lowest of its limits': `
    SELECT w.id FROM wallets w WHERE (w.max_order_amount, w.daily_spend, w.daily_orders_per_phone) IS DISTINCT FROM (
      SELECT (min(l.max_order_amount), min(l.daily_spend), min(l.daily_orders_per_phone))
      FROM spending_limits l WHERE l.partner_id = w.partner_id AND l.environment = w.environment)`,
  'nothing available is negative': `SELECT id FROM wallets WHERE posted - held < floor`,
  'captured is what was debited': `
    SELECT r.op_key FROM reservations r WHERE r.captured <> (
      SELECT coalesce(sum(-e.amount), 0) FROM ledger_transactions t JOIN ledger_entries e ON e.tx_id = t.id AND e.wallet_id = r.wallet_id
      WHERE t.op_key = 'capture:' || r.op_key AND e.reference_type = 'Order')`,
  'captures have their reservation': `
    SELECT t.op_key FROM ledger_transactions t
    LEFT JOIN reservations r ON 'capture:' || r.op_key = t.op_key AND r.wallet_id = t.wallet_id
    WHERE t.kind = 'capture' AND (r.state IS DISTINCT FROM 'captured')`,
  'settlements are their lines, in the ledger': `
    SELECT s.order_key FROM ${SETTLED} s JOIN settlement_lines l USING (order_key)
    GROUP BY s.order_key, s.wallet_id
    HAVING (sum(l.goods_amount + l.goods_vat_amount), sum(l.commission_amount + l.commission_vat_amount)) IS DISTINCT FROM (
      SELECT (coalesce(-sum(e.amount) FILTER (WHERE e.reference_type = 'Order'), 0),
              coalesce(sum(e.amount) FILTER (WHERE e.reference_type = 'Commission'), 0))
      FROM ledger_entries e WHERE e.reference_id = s.order_key AND e.wallet_id = s.wallet_id)`,
  'units given back are in the ledger, and all of them are the whole': `
    SELECT s.order_key FROM ${SETTLED} s JOIN settlement_lines l USING (order_key)
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(f.refunded_amount), 0) AS refunded, coalesce(sum(f.clawed_back_amount), 0) AS clawed
      FROM settlement_refunds f WHERE f.order_key = s.order_key) f
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(e.amount) FILTER (WHERE e.reference_type = 'Refund'), 0) AS refunded,
             coalesce(-sum(e.amount) FILTER (WHERE e.reference_type = 'CommissionClawback'), 0) AS clawed
      FROM ledger_entries e WHERE e.reference_id = s.order_key AND e.wallet_id = s.wallet_id) e
    GROUP BY s.order_key, f.refunded, f.clawed, e.refunded, e.clawed
    HAVING f.refunded <> e.refunded OR f.clawed <> e.clawed OR (
      bool_and(l.refunded_quantity = l.quantity)
      AND (sum(l.goods_amount + l.goods_vat_amount) <> f.refunded OR sum(l.commission_amount + l.commission_vat_amount) <> f.clawed))`,
  'refunds never exceed captures': `
    SELECT r.reference_id FROM reservations r WHERE r.state = 'captured'
    GROUP BY r.reference_id, r.wallet_id
    HAVING sum(r.refunded) > sum(r.captured) OR sum(r.refunded) <> (
      SELECT coalesce(sum(e.amount), 0) FROM ledger_entries e
      WHERE e.wallet_id = r.wallet_id AND e.reference_id = r.reference_id AND e.reference_type = 'Refund')`,
};

/** The invariants of the ledger that do not hold now, with a few of the rows that break them; empty when all hold. */
export async function brokenInvariants(db: Queryable): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(INVARIANTS)) {
    const { rows } = await db.query(`SELECT * FROM (${sql}) q LIMIT 3`);
    if (rows.length > 0) broken[name] = rows;
  }
  return broken;
}
