import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { createHash, type Hash } from 'node:crypto';
import { PIECE_SIZE, piecesOf, type Statement, type StoredLine } from './domain/statement';
import { linesOf } from './email/send-due-emails';
import { statementPdf } from './email/statement-pdf';
import type { StatementRepository } from './statement.repository';

const STORED: PreparedStatement = {
  name: 'verify_stored',
  text: 'SELECT lines::text AS text FROM statement_piece WHERE statement_id = $1 AND piece = $2',
};
const REBUILT: PreparedStatement = {
  name: 'verify_rebuilt',
  text: 'SELECT statement_lines($1, $2, $3)::text AS text',
};
// The head as the ledger gives it: positions by time, balances by position, totals by sum.
const HEAD: PreparedStatement = {
  name: 'verify_head',
  text: `SELECT f.seq AS after_seq, t.seq AS up_to_seq, f.balance::numeric(20, 2) AS opening, t.balance::numeric(20, 2) AS closing,
                coalesce(-sum(e.amount) FILTER (WHERE e.amount < 0), 0.00) AS debits,
                coalesce(sum(e.amount) FILTER (WHERE e.amount > 0), 0.00) AS credits
         FROM statement_cut($1, $2) f, statement_cut($1, $3) t
         LEFT JOIN ledger_entry e ON e.wallet_id = $1 AND e.occurred_at >= $2 AND e.occurred_at < $3
         GROUP BY 1, 2, 3, 4`,
};
const PIECES: PreparedStatement = {
  name: 'verify_pieces',
  text: 'SELECT count(*)::int AS count FROM statement_piece WHERE statement_id = $1',
};

/** What became of holding one statement against the ledger. */
export interface Verification {
  readonly statementNumber: string;
  readonly lines: number;
  /** In words; none when every byte is the same. */
  readonly differences: string[];
  /** SHA-256 of its PDF. */
  readonly pdfSha256: string;
}

/**
 * Rebuilds a statement from the ledger and compares it with what was issued, byte for byte: head, lines and PDF. Holds one
 * piece at a time, and stops at the first piece that differs.
 */
export async function verifyStatement(
  db: Queryable,
  statements: StatementRepository,
  issued: Statement,
): Promise<Verification> {
  const rebuilt = await rebuildHead(db, issued);
  const differences = compareHeads(issued, rebuilt);
  const faulty = await firstDifference(db, issued);
  if (faulty) differences.push(faulty);
  const storedPdf = await pdfHash(issued, (piece) => statements.storedLines(issued.id, piece));
  const rebuiltPdf = await pdfHash(rebuilt, (piece) =>
    statements.ledgerLines(issued.walletId, rebuilt.document, piece),
  );
  if (storedPdf !== rebuiltPdf) differences.push('the PDF differs');
  return {
    statementNumber: issued.document.statementNumber ?? '',
    lines: Number(issued.document.upToSeq - issued.document.afterSeq),
    differences,
    pdfSha256: storedPdf,
  };
}

async function rebuildHead(db: Queryable, issued: Statement): Promise<Statement> {
  const { period } = issued.document;
  const [head] = await query<Record<string, string>>(db, HEAD, [issued.walletId, period.from, period.to]);
  if (!head) throw new Error('the ledger gave no head');
  return {
    ...issued,
    openingBalance: head['opening'] ?? '',
    closingBalance: head['closing'] ?? '',
    document: {
      ...issued.document,
      totalDebits: head['debits'] ?? '',
      totalCredits: head['credits'] ?? '',
      afterSeq: BigInt(head['after_seq'] ?? 0),
      upToSeq: BigInt(head['up_to_seq'] ?? 0),
    },
  };
}

function compareHeads(issued: Statement, rebuilt: Statement): string[] {
  const fields = (statement: Statement): [string, string][] => [
    ['opening balance', statement.openingBalance],
    ['closing balance', statement.closingBalance],
    ['total debits', statement.document.totalDebits],
    ['total credits', statement.document.totalCredits],
    ['first position', statement.document.afterSeq.toString()],
    ['last position', statement.document.upToSeq.toString()],
  ];
  const fromLedger = fields(rebuilt);
  return fields(issued).flatMap(([name, value], index) => {
    const other = fromLedger[index]?.[1];
    return value === other ? [] : [`${name}: issued ${value}, ledger ${other}`];
  });
}

async function firstDifference(db: Queryable, issued: Statement): Promise<string | undefined> {
  const { afterSeq, upToSeq } = issued.document;
  const [counted] = await query<{ count: number }>(db, PIECES, [issued.id]);
  if (counted?.count !== piecesOf(issued.document)) {
    return `issued in ${counted?.count} pieces, expected ${piecesOf(issued.document)}`;
  }
  for (let piece = 0; piece < piecesOf(issued.document); piece += 1) {
    const after = afterSeq + BigInt(piece * PIECE_SIZE);
    const end = after + BigInt(PIECE_SIZE);
    const range = [issued.walletId, `${after}`, `${end < upToSeq ? end : upToSeq}`];
    const [stored] = await query<{ text: string }>(db, STORED, [issued.id, piece]);
    const [rebuilt] = await query<{ text: string }>(db, REBUILT, range);
    if (stored?.text !== rebuilt?.text) {
      return `lines ${piece * PIECE_SIZE + 1} to ${Number((end < upToSeq ? end : upToSeq) - afterSeq)} differ`;
    }
  }
  return undefined;
}

async function pdfHash(
  statement: Statement,
  read: (piece: number) => Promise<StoredLine[]>,
): Promise<string> {
  const hash: Hash = createHash('sha256');
  for await (const part of statementPdf(statement, linesOf(statement.document, read))) hash.update(part);
  return hash.digest('hex');
}
