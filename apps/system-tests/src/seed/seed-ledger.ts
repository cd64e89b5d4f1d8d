import pg from 'pg';
import type { EnvironmentName } from '../platform/platform-file';

/** What to put into a wallet that has no lines yet. */
interface LedgerSeed {
  /** The database of finance. */
  readonly databaseUrl: string;
  readonly partnerId: string;
  readonly environment: EnvironmentName;
  readonly lines: number;
  readonly from: Date;
  readonly to: Date;
}

const BATCH = 50_000;
const CONNECTIONS = 2;

// As wallet_apply would leave them: of three lines two are charges of 1.00 and one is a deposit of 2.00.
const SEED = `
  WITH w AS (SELECT id FROM wallets WHERE partner_id = $1 AND environment = $2),
  n AS (
    SELECT i, gen_random_uuid() AS tx, CASE WHEN i % 3 = 1 THEN 2.00 ELSE -1.00 END AS amount, i - (i + 2) / 3 AS debits,
           (i + 2) / 3 * 2 - (i - (i + 2) / 3) AS balance,
           $6::timestamptz + ($7::timestamptz - $6::timestamptz) * (i::float8 / $5) AS at
    FROM generate_series($3::bigint + 1, $4::bigint) AS i),
  t AS (
    INSERT INTO ledger_transactions (id, op_key, request_hash, kind, wallet_id, reference_id, balance_after, created_at)
    SELECT tx, 'seed:' || w.id || i, '', CASE WHEN amount > 0 THEN 'credit' ELSE 'capture' END, w.id, 'TU-' || tx, balance, at FROM n, w)
  INSERT INTO ledger_entries (tx_id, line, transaction_id, wallet_id, platform_account, seq, debit_seq, amount, balance_after,
    debit_total, reference_type, reference_id, notes, occurred_at)
  SELECT tx, l, 1000000000 + 2 * i + l, CASE l WHEN 1 THEN w.id END, CASE l WHEN 2 THEN 'sales' END, CASE l WHEN 1 THEN i END,
         CASE l WHEN 1 THEN debits END, CASE l WHEN 1 THEN amount ELSE -amount END, CASE l WHEN 1 THEN balance END,
         CASE l WHEN 1 THEN debits END, CASE WHEN amount > 0 THEN 'Deposit' ELSE 'Order' END, 'TU-' || tx, 'reference ' || i, at
  FROM n, w, generate_series(1, 2) AS l ORDER BY i, l`;

const FINISH = `
  UPDATE wallets w SET posted = e.balance_after, last_seq = e.seq, last_debit_seq = e.debit_seq, debit_total = e.debit_total,
    last_entry_at = e.occurred_at
  FROM ledger_entries e
  WHERE w.partner_id = $1 AND w.environment = $2 AND e.wallet_id = w.id AND e.seq = $3`;

/**
 * Gives a wallet without lines so many of them within a period, straight into the tables: for statements at size. No order
 * knows of them, so take a platform whose data may be thrown away. Needs a superuser of the database. Resolves with seconds.
 */
export async function seedLedger(seed: LedgerSeed): Promise<number> {
  const startedAt = performance.now();
  const clients = Array.from(
    { length: CONNECTIONS },
    () => new pg.Client({ connectionString: seed.databaseUrl }),
  );
  try {
    await Promise.all(clients.map((client) => client.connect()));
    let next = 0;
    await Promise.all(
      clients.map(async (client) => {
        // Neither the zero-sum trigger nor the foreign keys have anything to find in it.
        await client.query('SET session_replication_role = replica');
        await client.query('SET synchronous_commit = off');
        while (next < seed.lines) {
          const first = next;
          next = Math.min(next + BATCH, seed.lines);
          const { partnerId, environment, lines, from, to } = seed;
          await client.query(SEED, [partnerId, environment, first, next, lines + 1, from, to]);
        }
      }),
    );
    await clients[0]!.query(FINISH, [seed.partnerId, seed.environment, seed.lines]);
    await clients[0]!.query('VACUUM (ANALYZE) ledger_entries');
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
  return (performance.now() - startedAt) / 1000;
}
