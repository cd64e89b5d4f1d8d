import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Statement } from './domain/statement';
import { cutBefore, linesBetween } from './ledger-sql';
import { boundsOf } from './ledger-report.repository';

// Raw: what is compared are the bytes that the database keeps and those that it would keep now.
const STORED: PreparedStatement = {
  name: 'verify_stored',
  text: 'SELECT lines::text AS text FROM statement_pieces WHERE statement_id = $1 AND piece = $2',
};
// Raw: as above.
const REBUILT: PreparedStatement = {
  name: 'verify_rebuilt',
  text: `SELECT ${linesBetween('$1::uuid', '$2::bigint', '$3::bigint')}::text AS text`,
};
// Raw: the head as the ledger gives it in one snapshot: positions by time, balances by position, totals by sum.
const HEAD: PreparedStatement = {
  name: 'verify_head',
  text: `SELECT f.seq AS "afterSeq", t.seq AS "upToSeq", f.balance AS "openingBalance", t.balance AS "closingBalance",
                coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0.00) AS "totalDebits",
                coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0.00) AS "totalCredits"
         FROM ${cutBefore('$1::uuid', '$2::timestamptz')} AS f CROSS JOIN ${cutBefore('$1::uuid', '$3::timestamptz')} AS t
         LEFT JOIN ledger_entries e ON e.wallet_id = $1::uuid AND e.occurred_at >= $2::timestamptz AND e.occurred_at < $3::timestamptz
         GROUP BY 1, 2, 3, 4`,
};

interface HeadRow {
  afterSeq: string;
  upToSeq: string;
  openingBalance: string;
  closingBalance: string;
  totalDebits: string;
  totalCredits: string;
}

/** Reads what was issued and what the ledger gives now, to be compared. */
export class VerificationRepository {
  constructor(private readonly db: Queryable) {}

  /** The statement with its figures as the ledger gives them. */
  async rebuildHead(issued: Statement): Promise<Statement> {
    const { period } = issued.document;
    const [head] = await query<HeadRow>(this.db, HEAD, [issued.walletId, period.from, period.to]);
    if (!head) throw new Error('the ledger gave no head');
    const { openingBalance, closingBalance, totalDebits, totalCredits } = head;
    const [afterSeq, upToSeq] = [BigInt(head.afterSeq), BigInt(head.upToSeq)];
    const document = { ...issued.document, totalDebits, totalCredits, afterSeq, upToSeq };
    return { ...issued, openingBalance, closingBalance, document };
  }

  /** Whether a piece of the lines is, byte for byte, what the ledger gives. */
  async isSamePiece({ id, walletId, document }: Statement, piece: number): Promise<boolean> {
    const { after, upTo } = boundsOf(document, piece);
    const [stored] = await query<{ text: string }>(this.db, STORED, [id, piece]);
    const [rebuilt] = await query<{ text: string }>(this.db, REBUILT, [walletId, `${after}`, `${upTo}`]);
    return stored?.text === rebuilt?.text;
  }
}
