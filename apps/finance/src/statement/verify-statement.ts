import { createHash } from 'node:crypto';
import { piecesOf, type Statement, type StoredLine } from './domain/statement';
import { boundsOf, type LedgerReportRepository } from './ledger-report.repository';
import { printStatement } from './print-statement';
import type { VerificationRepository } from './verification.repository';

/** What verifying works with. */
interface VerifyDeps {
  ledgerReports: LedgerReportRepository;
  verifications: VerificationRepository;
}

/** The result of comparing one statement with the ledger. */
interface Verification {
  readonly statementNumber: string;
  readonly lines: number;
  /** In words; none when every byte is the same. */
  readonly differences: string[];
  /** SHA-256 of its PDF. */
  readonly pdfSha256: string;
}

/**
 * Rebuilds a statement from the ledger and compares it with what was issued, byte for byte: head, lines and PDF. Holds one
 * piece at a time, and stops at the first piece that differs. Of one whose lines are still being copied, what was copied so far.
 */
export async function verifyStatement(
  { ledgerReports, verifications }: VerifyDeps,
  issued: Statement,
): Promise<Verification> {
  const rebuilt = await verifications.rebuildHead(issued);
  const differences = compareHeads(issued, rebuilt);
  const faulty = await firstDifference(verifications, issued);
  if (faulty) differences.push(faulty);
  const storedPdf = await pdfHash(issued, (piece) => ledgerReports.statementLines(issued, piece));
  const rebuiltPdf = await pdfHash(rebuilt, (piece) =>
    ledgerReports.lines(issued.walletId, rebuilt.document, piece),
  );
  if (storedPdf !== rebuiltPdf) differences.push('the PDF differs');
  return {
    statementNumber: issued.document.statementNumber ?? '',
    lines: Number(issued.document.upToSeq - issued.document.afterSeq),
    differences,
    pdfSha256: storedPdf,
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

async function firstDifference(
  verifications: VerificationRepository,
  issued: Statement,
): Promise<string | undefined> {
  const { document } = issued;
  const { count, copiedSoFar } = await verifications.countPieces(issued.id);
  const expected = copiedSoFar ?? piecesOf(document);
  if (count !== expected) return `issued in ${count} pieces, expected ${expected}`;
  for (let piece = 0; piece < count; piece += 1) {
    if (await verifications.isSamePiece(issued, piece)) continue;
    const { after, upTo } = boundsOf(document, piece);
    return `lines ${after - document.afterSeq + 1n} to ${upTo - document.afterSeq} differ`;
  }
  return undefined;
}

async function pdfHash(
  statement: Statement,
  read: (piece: number) => Promise<StoredLine[]>,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of printStatement(statement, read)) hash.update(part);
  return hash.digest('hex');
}
