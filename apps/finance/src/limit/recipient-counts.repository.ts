import { query, withTransaction, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Pool } from 'pg';
import type { WalletRef } from '../ledger/domain/wallet-operation';

/** Lines of a wallet that are looked through at once. */
const PIECE = 500;

// Where today begins in the wallet's ledger, and an hour before it, for the clocks of two services may differ.
const TODAY: PreparedStatement = {
  name: 'limits_today',
  text: `SELECT w.id, w.daily_orders_per_phone IS NOT NULL AS "isCounting", coalesce(
           (SELECT e.seq - 1 FROM ledger_entries e
            WHERE e.wallet_id = w.id AND e.occurred_at >= date_trunc('day', clock_timestamp(), 'UTC') - interval '1 hour'
            ORDER BY e.occurred_at LIMIT 1), w.last_seq) AS "afterSeq"
         FROM wallets w WHERE w.partner_id = $1 AND w.environment = $2`,
};
// Orders that were charged, by the lines of their charges; what ended without one counts for no limit.
const COUNT_CHARGED: PreparedStatement = {
  name: 'limits_count_charged',
  text: `WITH lines AS MATERIALIZED (
           SELECT e.seq, CASE WHEN e.reference_type = 'Order' AND t.op_key LIKE 'capture:%' THEN substr(t.op_key, 9) END AS hold
           FROM ledger_entries e JOIN ledger_transactions t ON t.id = e.tx_id
           WHERE e.wallet_id = $1 AND e.seq > $2 ORDER BY e.seq LIMIT ${PIECE}),
         counted AS (
           UPDATE reservations r SET is_recipient_counted = true FROM lines
           WHERE r.op_key = lines.hold AND r.recipient IS NOT NULL AND NOT r.is_recipient_counted)
         SELECT max(seq) AS "upToSeq", count(*)::integer AS lines FROM lines`,
};
const COUNT_HELD: PreparedStatement = {
  name: 'limits_count_held',
  text: `UPDATE reservations SET is_recipient_counted = true
         WHERE wallet_id = $1 AND state = 'active' AND recipient IS NOT NULL AND NOT is_recipient_counted`,
};

interface TodayRow {
  id: string;
  isCounting: boolean;
  afterSeq: string;
}

interface PieceRow {
  /** Null where there is no line. */
  upToSeq: string | null;
  lines: number;
}

type Run = <T>(work: (tx: Queryable) => Promise<T>) => Promise<T>;

/** Has today's orders count for their recipients, in a wallet that has counted none so far (docs/adr/0025). */
export class RecipientCounts {
  constructor(private readonly pool: Pool) {}

  /**
   * Counts today's charges, a piece at a time and while orders go on; returns the line up to which it has. Undefined where there is
   * nothing to count: no wallet, or one that counts already.
   */
  async countCharges(ref: WalletRef): Promise<string | undefined> {
    const today = await findToday(this.pool, ref);
    if (!today || today.isCounting) return undefined;
    return countCharged((work) => withTransaction(this.pool, work), today.id, today.afterSeq);
  }

  /** Counts the charges behind that line, and what is held, in the transaction that has the wallet locked: later orders are counted as they are made. */
  async countRest(tx: Queryable, ref: WalletRef, countedTo: string | undefined): Promise<void> {
    const today = await findToday(tx, ref);
    if (!today) return;
    await countCharged((work) => work(tx), today.id, countedTo ?? today.afterSeq);
    await query(tx, COUNT_HELD, [today.id]);
  }
}

async function findToday(
  db: Queryable,
  { partnerId, environment }: WalletRef,
): Promise<TodayRow | undefined> {
  const [today] = await query<TodayRow>(db, TODAY, [partnerId, environment]);
  return today;
}

async function countCharged(run: Run, walletId: string, afterSeq: string): Promise<string> {
  for (let from = afterSeq; ;) {
    const [piece] = await run((tx) => query<PieceRow>(tx, COUNT_CHARGED, [walletId, from]));
    from = piece?.upToSeq ?? from;
    if (!piece || piece.lines < PIECE) return from;
  }
}
