import {
  Environment,
  StatementEmailStatus,
  type Statement,
  type StatementDocument,
  type WalletTransaction,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import type { PrintedLine } from '@reseller/statement-pdf';
import { present, presentEnum, presentMoment, presentRequiredMoment } from './values';
import { presentKinds, presentTransaction } from './wallet';

const EMAIL_STATUS_NAMES = {
  [StatementEmailStatus.PENDING]: 'Pending',
  [StatementEmailStatus.SENT]: 'Sent',
  [StatementEmailStatus.FAILED]: 'Failed',
  [StatementEmailStatus.SKIPPED]: 'Skipped',
} as const;

/** How far a statement's e-mail is, by its public names (spec §9.3). */
export const STATEMENT_EMAIL_STATUSES = Object.values(EMAIL_STATUS_NAMES);

type PublicEmailStatus = (typeof STATEMENT_EMAIL_STATUSES)[number];

/** Reads one piece of a document's lines, from 0. */
export type ReadLines = (piece: number) => Promise<WalletTransaction[]>;

/** A persisted statement as lists show it: without its document's lines (spec §9.1). */
export function presentListedStatement(statement: Statement) {
  const document = presentDocument(present(statement.document, 'document'));
  const { partnerId, partnerGlobalId, periodFrom, periodTo, generatedAt } = document;
  const { currency, totalDebits, totalCredits, netPosition } = document;
  return {
    id: statement.id,
    partnerId,
    partnerGlobalId,
    sequenceNumber: present(statement.document?.sequenceNumber, 'sequence_number'),
    statementNumber: present(statement.document?.statementNumber, 'statement_number'),
    periodFrom,
    periodTo,
    generatedAt,
    locked: true,
    currency,
    totalDebits,
    totalCredits,
    netPosition,
    emailStatus: presentEnum<StatementEmailStatus, PublicEmailStatus>(
      EMAIL_STATUS_NAMES,
      statement.emailStatus,
    ),
    emailStatusReason: statement.emailStatusReason ?? null,
    emailSentAt: presentMoment(statement.emailSentAt),
    document,
  };
}

/** A persisted statement with its lines, as JSON text that is made piece by piece. */
export function statementText(statement: Statement, readLines: ReadLines): AsyncGenerator<string> {
  const document = present(statement.document, 'document');
  return withLines(JSON.stringify(presentListedStatement(statement)), '}}', document, readLines);
}

/**
 * A persisted statement as a PDF, made piece by piece. The first lines are read before its library is loaded and anything is made: they
 * have the request's own deadline, and what refuses them still gets the error envelope.
 */
export async function* statementPdf(statement: Statement, readLines: ReadLines): AsyncGenerator<Buffer> {
  const document = present(statement.document, 'document');
  const lineCount = Number(BigInt(document.upToPosition) - BigInt(document.afterPosition));
  const first = lineCount > 0 ? await readLines(0) : [];
  const { statementPdf: print } = await import('@reseller/statement-pdf');
  yield* print(
    {
      ...statement,
      ...document,
      lineCount,
      language: statement.language === 'ar' ? 'ar' : 'en',
      environment: statement.environment === Environment.LIVE ? 'live' : 'sandbox',
      statementNumber: present(document.statementNumber, 'statement_number'),
      period: {
        from: present(document.periodFromAt, 'period_from_at'),
        to: present(document.periodToAt, 'period_to_at'),
      },
      generatedAt: present(document.generatedAt, 'generated_at'),
    },
    printedLines(lineCount, (piece) => (piece === 0 ? Promise.resolve(first) : readLines(piece))),
  );
}

async function* printedLines(lineCount: number, readLines: ReadLines): AsyncGenerator<PrintedLine[]> {
  for (let piece = 0, seen = 0; seen < lineCount; piece += 1) {
    const lines = await readLines(piece);
    if (lines.length === 0) throw new Error(`a document of ${lineCount} lines ended after ${seen}`);
    seen += lines.length;
    yield lines.map((line) => ({
      ...line,
      ...presentKinds(line),
      occurredAt: present(line.occurredAt, 'occurred_at'),
    }));
  }
}

/** A provisional document with its lines, as JSON text that is made piece by piece. */
export function reportText(document: StatementDocument, readLines: ReadLines): AsyncGenerator<string> {
  return withLines(JSON.stringify(presentDocument(document)), '}', document, readLines);
}

function presentDocument(document: StatementDocument) {
  return {
    partnerId: document.partnerId,
    partnerGlobalId: document.partnerGlobalId,
    sequenceNumber: document.sequenceNumber ?? null,
    statementNumber: document.statementNumber ?? null,
    isProvisional: document.isProvisional,
    periodFrom: presentRequiredMoment(document.periodFromAt, 'period_from_at'),
    periodTo: presentRequiredMoment(document.periodToAt, 'period_to_at'),
    generatedAt: presentRequiredMoment(document.generatedAt, 'generated_at'),
    currency: document.currency,
    totalDebits: toJsonNumber(document.totalDebits),
    totalCredits: toJsonNumber(document.totalCredits),
    netPosition: toJsonNumber(document.netPosition),
    platformTaxRegistrationNumber: document.platformTaxRegistrationNumber ?? null,
    partnerTaxRegistrationNumber: document.partnerTaxRegistrationNumber ?? null,
    documentNature: document.documentNature,
  };
}

/** Puts `lines` at the end of the document, which is the last field of what is around it. */
async function* withLines(
  text: string,
  closing: string,
  { afterPosition, upToPosition }: StatementDocument,
  readLines: ReadLines,
): AsyncGenerator<string> {
  const count = Number(BigInt(upToPosition) - BigInt(afterPosition));
  let before = `${text.slice(0, -closing.length)},"lines":[`;
  for (let piece = 0, seen = 0; seen < count; piece += 1) {
    const lines = await readLines(piece);
    if (lines.length === 0) throw new Error(`a document of ${count} lines ended after ${seen}`);
    seen += lines.length;
    yield before + lines.map((line) => JSON.stringify(presentTransaction(line))).join(',');
    before = ',';
  }
  yield `${before === ',' ? '' : before}]${closing}`;
}
