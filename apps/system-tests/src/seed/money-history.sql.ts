import { HISTORY, idOf } from './history.sql';

/** A deposit pays what the next so many orders come to at most. */
const ORDERS_A_DEPOSIT = 1_000;
const DEPOSIT = 204 * ORDERS_A_DEPOSIT;

/** The movements of a piece's orders in their order, with what they are in the ledger. */
const MOVEMENTS = `
  SELECT n, 1 AS place, 'credit' AS kind, ${DEPOSIT}::numeric AS amount, 'Deposit' AS reference_type, 'cash' AS account,
    NULL AS order_id, NULL AS reference, at + interval '19 ms' AS at
  FROM made WHERE n % ${ORDERS_A_DEPOSIT} = 1
  UNION ALL
  SELECT n, 2, 'capture', -amount, 'Order', 'sales', global_id, reference, at + interval '20 ms'
  FROM made WHERE status IN ('Completed', 'Reversed')
  UNION ALL
  SELECT n, 3, 'refund', amount, 'Refund', 'refunds', global_id, reference, at + interval '21 ms'
  FROM made WHERE status = 'Reversed'`;

/**
 * The money of a piece's orders ($1 to $8), behind what the wallet holds so far: holds, movements with their lines, and deposits that
 * pay for them. Pieces of one wallet come in their order, one after the other, into a wallet whose lines are all older.
 */
export const INSERT_MONEY = `
  WITH wallet AS MATERIALIZED (SELECT * FROM wallets WHERE partner_id = $1::uuid AND environment = $2::text FOR UPDATE),
  made AS MATERIALIZED (${HISTORY}),
  moved AS MATERIALIZED (
    SELECT m.*, ${idOf('m.at', `w.id || $3::text || n || '/' || place`)} AS tx_id, w.id AS wallet_id,
      w.last_seq + row_number() OVER by_time AS seq,
      w.last_debit_seq + count(*) FILTER (WHERE amount < 0) OVER by_time AS debit_seq,
      w.posted + sum(amount) OVER by_time AS balance,
      w.debit_total - sum(least(amount, 0)) OVER by_time AS debit_total
    FROM (${MOVEMENTS}) AS m, wallet AS w WINDOW by_time AS (ORDER BY n, place)
  ), held AS (
    INSERT INTO reservations (op_key, wallet_id, amount, captured, refunded, state, reference_id, pinned, expires_at, available_after,
      created_at, ended_at)
    SELECT global_id, wallet.id, amount, CASE WHEN status IN ('Completed', 'Reversed') THEN amount ELSE 0 END,
      CASE status WHEN 'Reversed' THEN amount ELSE 0 END,
      CASE status WHEN 'Failed' THEN 'released' WHEN 'InterventionRequired' THEN 'active' ELSE 'captured' END,
      global_id, true, 'infinity', 0, at + interval '4 ms', CASE WHEN status <> 'InterventionRequired' THEN at + interval '20 ms' END
    FROM made, wallet WHERE status <> 'Cancelled'
  ), posted AS (
    INSERT INTO ledger_transactions (id, op_key, request_hash, kind, wallet_id, reference_id, balance_after, created_at)
    SELECT tx_id, CASE kind WHEN 'credit' THEN 'seed:' || tx_id WHEN 'capture' THEN 'capture:' || order_id ELSE 'refund:reverse:' || order_id END,
      '', kind, wallet_id, coalesce(order_id, tx_id::text), balance, at
    FROM moved
  ), lines AS (
    INSERT INTO ledger_entries (tx_id, line, wallet_id, platform_account, seq, debit_seq, amount, balance_after, debit_total,
      reference_type, reference_id, notes, occurred_at)
    SELECT tx_id, l, CASE l WHEN 1 THEN wallet_id END, CASE l WHEN 2 THEN account END, CASE l WHEN 1 THEN seq END,
      CASE l WHEN 1 THEN debit_seq END, CASE l WHEN 1 THEN amount ELSE -amount END, CASE l WHEN 1 THEN balance END,
      CASE l WHEN 1 THEN debit_total END, reference_type, coalesce(order_id, tx_id::text), coalesce(reference, 'Deposit'), at
    FROM moved, generate_series(1, 2) AS l ORDER BY moved.seq, l
  )
  UPDATE wallets SET posted = m.balance, last_seq = m.seq, last_debit_seq = m.debit_seq, debit_total = m.debit_total, last_entry_at = m.at,
    held = held + (SELECT coalesce(sum(amount), 0) FROM made WHERE status = 'InterventionRequired')
  FROM (SELECT * FROM moved ORDER BY seq DESC LIMIT 1) AS m WHERE wallets.id = m.wallet_id`;
