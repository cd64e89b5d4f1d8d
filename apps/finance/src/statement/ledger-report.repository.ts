import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import {
  PIECE_SIZE,
  type Period,
  type Statement,
  type StatementDocument,
  type StoredLine,
} from './domain/statement';
import { cutBefore, linesBetween } from './ledger-sql';

// Raw: the clock that decides what can still be posted is the database's. Holds the wallet's lock only as long as it takes to
// say that no entry before p_to can come any more: an entry's time is taken under that lock, after last_entry_at (docs/adr/0009).
const CLOSE_LEDGER: PreparedStatement = {
  name: 'statement_close_ledger',
  text: `UPDATE wallets SET last_entry_at = greatest(last_entry_at, $3::timestamptz - interval '1 microsecond')
         WHERE partner_id = $1 AND environment = $2 AND $3::timestamptz <= clock_timestamp()
         RETURNING id`,
};
// Raw: positions, balances and totals of one moment. A period's sums are the difference of two lines, however many it has.
const REPORT: PreparedStatement = {
  name: 'statement_report',
  text: `SELECT w.id AS "walletId", w.currency, f.seq AS "afterSeq", t.seq AS "upToSeq", f.balance AS "openingBalance",
                t.balance AS "closingBalance", t.debits - f.debits AS "totalDebits",
                t.balance + t.debits - f.balance - f.debits AS "totalCredits",
                date_trunc('milliseconds', clock_timestamp()) AS "generatedAt"
         FROM wallets AS w, LATERAL ${cutBefore('w.id', '$3::timestamptz')} AS f,
              LATERAL ${cutBefore('w.id', '$4::timestamptz')} AS t
         WHERE w.partner_id = $1 AND w.environment = $2`,
};
// Raw: a piece is one row, built by the same text as the pieces that are kept.
const LINES: PreparedStatement = {
  name: 'statement_ledger_lines',
  text: `SELECT ${linesBetween('$1::uuid', '$2::bigint', '$3::bigint')} AS lines`,
};
// Raw: a piece as it was kept. One that is not copied yet is read from the ledger, which was closed up to the statement's end
// before it was made and so gives the same bytes (docs/adr/0009).
const STATEMENT_LINES: PreparedStatement = {
  name: 'statement_lines',
  text: `SELECT coalesce((SELECT lines FROM statement_pieces WHERE statement_id = $1 AND piece = $2),
                         ${linesBetween('$3::uuid', '$4::bigint', '$5::bigint')}) AS lines`,
};
// Raw: a page of wallets with the end of each one's last statement. Those with a month that closed since, or since they were opened.
const DUE_WALLETS: PreparedStatement = {
  name: 'statement_due_wallets',
  text: `SELECT w.id AS "walletId", w.partner_id AS "partnerId", w.environment, s.start
         FROM wallets w
         CROSS JOIN LATERAL (
           SELECT coalesce((SELECT period_to FROM statements WHERE wallet_id = w.id ORDER BY sequence_number DESC LIMIT 1),
                           date_trunc('milliseconds', w.opened_at)) AS start) s
         WHERE w.id > $1
           AND (date_trunc('month', s.start AT TIME ZONE 'UTC') + interval '1 month') AT TIME ZONE 'UTC' <= $2::timestamptz
         ORDER BY w.id LIMIT $3`,
};

/** What the ledger says of a period. */
export interface LedgerReport {
  readonly walletId: string;
  readonly currency: string;
  readonly afterSeq: bigint;
  readonly upToSeq: bigint;
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly totalDebits: string;
  readonly totalCredits: string;
  readonly generatedAt: Date;
}

/** A wallet with a closed month that no statement covers; `start` is where its next statement begins. */
export interface DueWallet extends WalletRef {
  readonly walletId: string;
  readonly start: Date;
}

type Row<T> = { [K in keyof T]: T[K] extends bigint ? string : T[K] };

/** Reads the ledger as statements show it. */
export class LedgerReportRepository {
  constructor(private readonly db: Queryable) {}

  /** Sees to it that no entry before `to` can be posted any more; undefined when there is no wallet or `to` lies ahead. */
  async closeLedger({ partnerId, environment }: WalletRef, to: Date): Promise<string | undefined> {
    const [row] = await query<{ id: string }>(this.db, CLOSE_LEDGER, [partnerId, environment, to]);
    return row?.id;
  }

  /** Where a period begins and ends in a wallet's ledger, and what was moved in between; undefined when there is no wallet. */
  async report(
    { partnerId, environment }: WalletRef,
    { from, to }: Period,
  ): Promise<LedgerReport | undefined> {
    const [row] = await query<Row<LedgerReport>>(this.db, REPORT, [partnerId, environment, from, to]);
    return row && { ...row, afterSeq: BigInt(row.afterSeq), upToSeq: BigInt(row.upToSeq) };
  }

  /** One piece of the ledger's lines between two positions; none past the last. */
  async lines(
    walletId: string,
    range: Pick<StatementDocument, 'afterSeq' | 'upToSeq'>,
    piece: number,
  ): Promise<StoredLine[]> {
    const { after, upTo } = boundsOf(range, piece);
    if (after >= upTo) return [];
    const [row] = await query<{ lines: StoredLine[] }>(this.db, LINES, [walletId, `${after}`, `${upTo}`]);
    return row?.lines ?? [];
  }

  /** One piece of a statement's lines as they were issued; none past the last. */
  async statementLines({ id, walletId, document }: Statement, piece: number): Promise<StoredLine[]> {
    const { after, upTo } = boundsOf(document, piece);
    if (after >= upTo) return [];
    const values = [id, piece, walletId, `${after}`, `${upTo}`];
    const [row] = await query<{ lines: StoredLine[] }>(this.db, STATEMENT_LINES, values);
    return row?.lines ?? [];
  }

  /** Wallets whose next statement's month has closed, in order of their ids. */
  dueWallets(afterWalletId: string, now: Date, limit: number): Promise<DueWallet[]> {
    return query<DueWallet>(this.db, DUE_WALLETS, [afterWalletId, now, limit]);
  }
}

/** The positions of a piece of a document's lines; empty past the last. */
export function boundsOf(
  { afterSeq, upToSeq }: Pick<StatementDocument, 'afterSeq' | 'upToSeq'>,
  piece: number,
): { after: bigint; upTo: bigint } {
  const after = afterSeq + BigInt(piece) * BigInt(PIECE_SIZE);
  const end = after + BigInt(PIECE_SIZE);
  return { after, upTo: end < upToSeq ? end : upToSeq };
}
