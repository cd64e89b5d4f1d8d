import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { decimal, toFixedString } from '@reseller/money';
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
// Raw: where the ledger stood at both ends of a period, by time.
const ENDS: PreparedStatement = {
  name: 'verify_ends',
  text: `SELECT f.seq AS "afterSeq", t.seq AS "upToSeq", f.balance AS "openingBalance", t.balance AS "closingBalance"
         FROM ${cutBefore('$1::uuid', '$2::timestamptz')} AS f CROSS JOIN ${cutBefore('$1::uuid', '$3::timestamptz')} AS t`,
};
// Raw: the entries added up themselves, and not by their running totals.
const SUMS: PreparedStatement = {
  name: 'verify_sums',
  text: `SELECT coalesce(-sum(least(amount, 0)), 0) AS debits, coalesce(sum(greatest(amount, 0)), 0) AS credits
         FROM ledger_entries WHERE wallet_id = $1 AND seq > $2 AND seq <= $3`,
};
// Raw: both counts of one moment, since copying goes on.
const PIECES: PreparedStatement = {
  name: 'verify_pieces',
  text: `SELECT count(*)::int AS count, (SELECT pieces FROM statement_copies WHERE statement_id = $1) AS "copiedSoFar"
         FROM statement_pieces WHERE statement_id = $1`,
};

/** Entries that are added up by one statement of SQL. */
const ADDED_AT_ONCE = 20_000n;

interface EndsRow {
  afterSeq: string;
  upToSeq: string;
  openingBalance: string;
  closingBalance: string;
}

/** The pieces of lines that are there; `copiedSoFar` is how many there must be while the rest is still to be copied. */
interface IssuedPieces {
  readonly count: number;
  readonly copiedSoFar: number | null;
}

/** Reads what was issued and what the ledger gives now, to be compared. */
export class VerificationRepository {
  constructor(private readonly db: Queryable) {}

  /** The statement with its figures as the ledger gives them. */
  async rebuildHead(issued: Statement): Promise<Statement> {
    const { walletId } = issued;
    const { period } = issued.document;
    const [ends] = await query<EndsRow>(this.db, ENDS, [walletId, period.from, period.to]);
    if (!ends) throw new Error('the ledger gave no ends');
    const { openingBalance, closingBalance } = ends;
    const [afterSeq, upToSeq] = [BigInt(ends.afterSeq), BigInt(ends.upToSeq)];
    const totals = await this.addUp(walletId, afterSeq, upToSeq);
    const document = { ...issued.document, ...totals, afterSeq, upToSeq };
    return { ...issued, openingBalance, closingBalance, document };
  }

  private async addUp(
    walletId: string,
    afterSeq: bigint,
    upToSeq: bigint,
  ): Promise<{ totalDebits: string; totalCredits: string }> {
    let [debits, credits] = [decimal(0), decimal(0)];
    for (let after = afterSeq; after < upToSeq; after += ADDED_AT_ONCE) {
      const end = after + ADDED_AT_ONCE < upToSeq ? after + ADDED_AT_ONCE : upToSeq;
      const values = [walletId, `${after}`, `${end}`];
      const [sums] = await query<{ debits: string; credits: string }>(this.db, SUMS, values);
      debits = debits.plus(sums?.debits ?? 0);
      credits = credits.plus(sums?.credits ?? 0);
    }
    return { totalDebits: toFixedString(debits, 2), totalCredits: toFixedString(credits, 2) };
  }

  /** How many pieces of lines were issued. */
  async countPieces(id: string): Promise<IssuedPieces> {
    const [counted] = await query<IssuedPieces>(this.db, PIECES, [id]);
    return counted ?? { count: 0, copiedSoFar: null };
  }

  /** Whether a piece of the lines is, byte for byte, what the ledger gives. */
  async isSamePiece({ id, walletId, document }: Statement, piece: number): Promise<boolean> {
    const { after, upTo } = boundsOf(document, piece);
    const [stored] = await query<{ text: string }>(this.db, STORED, [id, piece]);
    const [rebuilt] = await query<{ text: string }>(this.db, REBUILT, [walletId, `${after}`, `${upTo}`]);
    return stored?.text === rebuilt?.text;
  }
}
