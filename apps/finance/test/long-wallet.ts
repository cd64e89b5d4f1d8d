import type { Queryable } from '@reseller/database';
import { v7 as uuidv7 } from 'uuid';

// Straight into the tables, as wallet_apply would leave them: of three lines two are charges of 1.00 and one is a deposit of 2.00.
const SEED = `
  WITH n AS (
    SELECT i, gen_random_uuid() AS tx, CASE WHEN i % 3 = 1 THEN 2.00 ELSE -1.00 END AS amount, i - (i + 2) / 3 AS debits,
           '2026-01-01Z'::timestamptz + i * interval '1 second' AS at
    FROM generate_series(1, $2::int) AS i),
  t AS (
    INSERT INTO ledger_transactions (id, op_key, request_hash, kind, wallet_id, reference_id, balance_after, created_at)
    SELECT tx, 'seed:' || $1 || i, '', 'adjust', $1::uuid, tx::text, (i + 2) / 3 * 2 - debits, at FROM n)
  INSERT INTO ledger_entries (tx_id, line, wallet_id, platform_account, seq, debit_seq, amount, balance_after, debit_total,
    reference_type, reference_id, notes, occurred_at)
  SELECT tx, l, CASE l WHEN 1 THEN $1::uuid END, CASE l WHEN 2 THEN 'cash' END, CASE l WHEN 1 THEN i END, CASE l WHEN 1 THEN debits END,
         CASE l WHEN 1 THEN amount ELSE -amount END, CASE l WHEN 1 THEN (i + 2) / 3 * 2 - debits END, CASE l WHEN 1 THEN debits END,
         'Adjustment', tx::text, 'Line no. ' || i, at
  FROM n CROSS JOIN generate_series(1, 2) AS l ORDER BY i, l`;

/** Gives a wallet without lines so many of them, a second apart from the beginning of 2026 on. */
async function seedLines(db: Queryable, walletId: string, lines: number): Promise<void> {
  await db.query('BEGIN');
  // The zero-sum trigger would look at every line; what is written here sums to zero.
  await db.query('SET LOCAL session_replication_role = replica');
  await db.query(SEED, [walletId, lines]);
  await db.query(
    `UPDATE wallets w SET posted = e.balance_after, last_seq = e.seq, last_debit_seq = e.debit_seq, debit_total = e.debit_total,
       last_entry_at = e.occurred_at, opened_at = '2026-01-01Z'
     FROM ledger_entries e WHERE w.id = $1 AND e.wallet_id = w.id AND e.seq = $2`,
    [walletId, lines],
  );
  await db.query('COMMIT');
}

/** Opens a wallet with so many lines; its partner is new. */
export async function longWallet(
  db: Queryable,
  lines: number,
): Promise<{ walletId: string; partnerId: string; environment: 'live' }> {
  const wallet = { walletId: uuidv7(), partnerId: uuidv7(), environment: 'live' } as const;
  await db.query('INSERT INTO wallets (id, partner_id, environment) VALUES ($1, $2, $3)', [
    wallet.walletId,
    wallet.partnerId,
    wallet.environment,
  ]);
  await seedLines(db, wallet.walletId, lines);
  return wallet;
}
