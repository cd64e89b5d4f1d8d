import { sqlCheck, type ReconciliationCheck } from '@reseller/database';

// Raw, all of it: what must agree is compared where it is, each page in one snapshot.

/** Entries of one wallet that are compared together. */
const CHUNK = 1_000;
const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
const AFTER_UUID = `coalesce(nullif($1, '')::uuid, '${FIRST_UUID}')`;

/** A wallet's figures against its last entry and its active reservations. The subject is the wallet's id. */
const wallets = sqlCheck({
  name: 'wallets',
  batch: 200,
  page: `SELECT id::text AS subject FROM wallets WHERE id > ${AFTER_UUID} ORDER BY id LIMIT $2`,
  compare: `SELECT d.kind, w.id::text AS subject, d.expected::text, d.found::text
    FROM wallets w
    LEFT JOIN LATERAL (SELECT * FROM ledger_entries WHERE wallet_id = w.id ORDER BY seq DESC LIMIT 1) e ON true
    CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0.00) AS held FROM reservations
                        WHERE wallet_id = w.id AND state = 'active') r
    CROSS JOIN LATERAL (VALUES
      ('posted', coalesce(e.balance_after, 0), w.posted),
      ('last_seq', coalesce(e.seq, 0), w.last_seq),
      ('debit_total', CASE WHEN e.seq IS NULL THEN 0 ELSE e.debit_total END, w.debit_total),
      ('held', r.held::numeric(20, 2), w.held)) AS d (kind, expected, found)
    WHERE w.id = ANY ($1::uuid[]) AND d.expected <> d.found`,
});

/**
 * A wallet's entries among themselves: from the line before the first, each adds its amount to the balance, and to the
 * running total of debits if it is one, the numbers have no gap, and ids and times ascend. With the check of wallets, by
 * induction: posted is the sum of all entries, and every running total that of the debits up to it; only lines of before there
 * were totals have none. The subject is the wallet's id and the number of a thousand entries; what is behind them never changes.
 * Every broken line is named: one that was accepted must not hide the next.
 */
const entries = sqlCheck({
  name: 'entries',
  batch: 20,
  page: `SELECT w.id || '/' || c.chunk AS subject
    FROM wallets w CROSS JOIN LATERAL generate_series(
      CASE WHEN w.id = ${part(1)}::uuid THEN ${part(2)}::bigint + 1 ELSE 0 END, (w.last_seq - 1) / ${CHUNK}) AS c (chunk)
    WHERE w.id >= coalesce(${part(1)}::uuid, '${FIRST_UUID}') AND w.last_seq > 0
    ORDER BY w.id, c.chunk LIMIT $2`,
  compare: `SELECT d.kind, s.subject, coalesce(d.expected::text, 'each line follows from the one before') AS expected,
      CASE d.kind WHEN 'chain' THEN 'broken at seq ' || sums.unsound ELSE d.found::text END AS found
    FROM unnest($1::text[]) AS s (subject)
    JOIN wallets w ON w.id = split_part(s.subject, '/', 1)::uuid
    CROSS JOIN LATERAL (SELECT split_part(s.subject, '/', 2)::bigint * ${CHUNK} AS seq) before
    LEFT JOIN ledger_entries o ON o.wallet_id = w.id AND o.seq = before.seq
    CROSS JOIN LATERAL (
      SELECT count(*) AS lines, coalesce(sum(e.amount), 0.00) AS moved, max(e.balance_after) FILTER (WHERE e.is_last) AS closing,
             coalesce(bool_and(e.is_sound), true) AS is_sound, string_agg(e.seq::text, ', ' ORDER BY e.seq) FILTER (WHERE NOT e.is_sound) AS unsound
      FROM (SELECT l.seq, l.amount, l.balance_after, lead(l.seq) OVER by_seq IS NULL AS is_last,
              coalesce(l.balance_after = lag(l.balance_after, 1, coalesce(o.balance_after, 0)) OVER by_seq + l.amount
                AND l.debit_seq = lag(l.debit_seq, 1, coalesce(o.debit_seq, 0)) OVER by_seq + (l.amount < 0)::int
                AND coalesce(l.debit_total = lag(l.debit_total, 1, CASE before.seq WHEN 0 THEN 0 ELSE o.debit_total END) OVER by_seq
                    - least(l.amount, 0), lag(l.debit_total, 1, o.debit_total) OVER by_seq IS NULL)
                AND l.seq = lag(l.seq, 1, before.seq) OVER by_seq + 1
                AND l.transaction_id > lag(l.transaction_id, 1, coalesce(o.transaction_id, 0)) OVER by_seq
                AND l.occurred_at > lag(l.occurred_at, 1, coalesce(o.occurred_at, '-infinity')) OVER by_seq, false) AS is_sound
            FROM ledger_entries l
            WHERE l.wallet_id = w.id AND l.seq > before.seq AND l.seq <= least(before.seq + ${CHUNK}, w.last_seq)
            WINDOW by_seq AS (ORDER BY l.seq)) e) sums
    CROSS JOIN LATERAL (VALUES
      ('lines', least(before.seq + ${CHUNK}, w.last_seq) - before.seq, sums.lines::numeric),
      ('balance', coalesce(o.balance_after, 0) + sums.moved, coalesce(sums.closing, coalesce(o.balance_after, 0))),
      ('chain', NULL, NULL)) AS d (kind, expected, found)
    WHERE CASE d.kind WHEN 'chain' THEN NOT sums.is_sound ELSE d.expected <> d.found END`,
});

/**
 * Each movement sums to zero, and a capture is what its reservation says was captured; only an order's that costs nothing has no
 * lines. The subject is the movement's id.
 */
const movements = sqlCheck({
  name: 'movements',
  batch: 500,
  settled: `SELECT id::text AS subject FROM ledger_transactions WHERE created_at <= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY id DESC LIMIT 1`,
  page: `SELECT id::text AS subject FROM ledger_transactions WHERE id > ${AFTER_UUID} ORDER BY id LIMIT $2`,
  compare: `SELECT d.kind, t.id::text AS subject, d.expected::text, d.found::text
    FROM ledger_transactions t
    CROSS JOIN LATERAL (
      SELECT sum(e.amount) AS total, count(*) AS lines,
             coalesce(-sum(e.amount) FILTER (WHERE e.wallet_id IS NOT NULL AND e.reference_type = 'Order'), 0.00) AS charged
      FROM ledger_entries e WHERE e.tx_id = t.id) e
    LEFT JOIN reservations r ON t.kind IN ('capture', 'settle') AND 'capture:' || r.op_key = t.op_key AND r.op_key = substr(t.op_key, 9)
    CROSS JOIN LATERAL (VALUES
      ('sum', 0.00, coalesce(e.total, 0)),
      ('lines', CASE WHEN e.lines = 0 AND t.kind IN ('settle', 'refund_units') THEN 0 ELSE 2 END, least(e.lines, 2)),
      ('captured', e.charged, CASE WHEN t.kind IN ('capture', 'settle') THEN coalesce(r.captured, 0) ELSE e.charged END))
      AS d (kind, expected, found)
    WHERE t.id = ANY ($1::uuid[]) AND d.expected <> d.found`,
});

/**
 * A captured reservation has its one charge in the ledger, and what it gave back is what was refunded of its order. The
 * subject is the reservation's key, an order's global id.
 */
const captures = sqlCheck({
  name: 'captures',
  batch: 500,
  page: `SELECT op_key AS subject FROM reservations WHERE op_key > $1 AND state = 'captured' ORDER BY op_key LIMIT $2`,
  compare: `SELECT d.kind, r.op_key AS subject, d.expected::text, d.found::text
    FROM reservations r
    CROSS JOIN LATERAL (
      SELECT coalesce(-sum(e.amount) FILTER (WHERE e.reference_type = 'Order'), 0.00) AS charged,
             coalesce(sum(e.amount) FILTER (WHERE e.reference_type = 'Refund'), 0.00) AS refunded
      FROM ledger_entries e WHERE e.reference_id = r.reference_id AND e.wallet_id = r.wallet_id) e
    CROSS JOIN LATERAL (VALUES ('charged', r.captured, e.charged), ('refunded', r.refunded, e.refunded))
      AS d (kind, expected, found)
    WHERE r.op_key = ANY ($1::text[]) AND r.state = 'captured' AND d.expected <> d.found`,
});

/** A scent order's lines and the units given back, against the ledger. The subject is the order's global id. */
const settlements = sqlCheck({
  name: 'settlements',
  batch: 200,
  settled: `SELECT l.order_key AS subject FROM settlement_lines l JOIN ledger_transactions t ON t.id = l.tx_id
    WHERE t.created_at <= clock_timestamp() - $1 * interval '1 millisecond' ORDER BY l.order_key DESC LIMIT 1`,
  page: `SELECT DISTINCT order_key AS subject FROM settlement_lines WHERE order_key > $1 ORDER BY order_key LIMIT $2`,
  compare: `SELECT d.kind, s.order_key AS subject, d.expected::text, d.found::text
    FROM (SELECT DISTINCT l.order_key, t.wallet_id FROM settlement_lines l JOIN ledger_transactions t ON t.id = l.tx_id
          WHERE l.order_key = ANY ($1::text[])) s
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(goods_amount + goods_vat_amount), 0.00) AS goods,
             coalesce(sum(commission_amount + commission_vat_amount), 0.00) AS commission,
             coalesce(bool_and(refunded_quantity = quantity), false) AS is_all_back
      FROM settlement_lines WHERE order_key = s.order_key) l
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(refunded_amount), 0.00) AS refunded, coalesce(sum(clawed_back_amount), 0.00) AS clawed
      FROM settlement_refunds WHERE order_key = s.order_key) f
    CROSS JOIN LATERAL (
      SELECT coalesce(-sum(e.amount) FILTER (WHERE e.reference_type = 'Order'), 0.00) AS goods,
             coalesce(sum(e.amount) FILTER (WHERE e.reference_type = 'Commission'), 0.00) AS commission,
             coalesce(sum(e.amount) FILTER (WHERE e.reference_type = 'Refund'), 0.00) AS refunded,
             coalesce(-sum(e.amount) FILTER (WHERE e.reference_type = 'CommissionClawback'), 0.00) AS clawed
      FROM ledger_entries e WHERE e.reference_id = s.order_key AND e.wallet_id = s.wallet_id) e
    CROSS JOIN LATERAL (VALUES
      ('goods', l.goods, e.goods), ('commission', l.commission, e.commission),
      ('refunded', f.refunded, e.refunded), ('clawed back', f.clawed, e.clawed),
      ('refunded in full', CASE WHEN l.is_all_back THEN l.goods ELSE f.refunded END, f.refunded)) AS d (kind, expected, found)
    WHERE d.expected <> d.found`,
});

/** What finance compares within its own database (docs/adr/0008). */
export const ledgerChecks: readonly ReconciliationCheck[] = [
  wallets,
  entries,
  movements,
  captures,
  settlements,
];

// A part of the subject of `entries`; null at the start.
function part(n: number): string {
  return `nullif(split_part($1, '/', ${n}), '')`;
}
