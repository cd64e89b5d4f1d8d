import { isUniqueViolation, type PageBounds } from '@reseller/database';
import type { EnvironmentName } from '@reseller/rpc';
import type { StatementLanguage } from '@reseller/statement-pdf';
import type { Prisma, PrismaClient, Statement as StatementRow } from '../generated/prisma/client';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { PartnerDetails } from '../partner/partner-directory';
import {
  DOCUMENT_NATURE,
  piecesOf,
  type EmailPlan,
  type EmailStatus,
  type Period,
  type Statement,
} from './domain/statement';
import type { LedgerReport } from './ledger-report.repository';
import { COPY_PIECES, PIECES_AT_ONCE } from './statement-copy.repository';

/** The e-mail's job of a version that does not know of copies leaves it alone for so long. */
const EMAIL_AFTER_COPY_MS = 86_400_000;

/** What a new statement is made of, beside the ledger. */
interface NewStatement {
  readonly id: string;
  readonly wallet: WalletRef;
  readonly period: Period;
  readonly report: LedgerReport;
  readonly partner: PartnerDetails;
  readonly platformTaxRegistrationNumber: string | undefined;
  readonly email: EmailPlan;
}

/** Keeps statements; see docs/adr/0009 for why none is half made and none overlaps. */
export class StatementRepository {
  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Makes the statement, or nothing; the ledger must have been closed up to its end before. The lines of a long one are still
   * to be copied then.
   */
  async create(statement: NewStatement): Promise<'ok' | 'copying' | 'conflict'> {
    try {
      return await this.prisma.$transaction((tx) => insert(tx, statement));
    } catch (error) {
      // Another one took this number meanwhile.
      if (isUniqueViolation(error)) return 'conflict';
      throw error;
    }
  }

  async find(id: string): Promise<Statement | undefined> {
    const row = await this.prisma.statement.findUnique({ where: { id } });
    return row ? toStatement(row) : undefined;
  }

  /** The newest number first. */
  async list(
    { partnerId, environment }: WalletRef,
    { limit, offset }: PageBounds,
  ): Promise<{ statements: Statement[]; totalCount: number }> {
    const wallet = await this.prisma.wallet.findUnique({
      where: { partnerId_environment: { partnerId, environment } },
      select: { id: true },
    });
    if (!wallet) return { statements: [], totalCount: 0 };
    const where = { walletId: wallet.id };
    const newest = await this.prisma.statement.findFirst({
      where,
      orderBy: { sequenceNumber: 'desc' },
      select: { sequenceNumber: true },
    });
    // Numbers run from 1 without gaps.
    const totalCount = newest?.sequenceNumber ?? 0;
    // Past the end a bound would be less than the column's type has.
    if (offset >= totalCount) return { statements: [], totalCount };
    const rows = await this.prisma.statement.findMany({
      where: { ...where, sequenceNumber: { lte: totalCount - offset, gt: totalCount - offset - limit } },
      orderBy: { sequenceNumber: 'desc' },
    });
    return { statements: rows.map(toStatement), totalCount };
  }

  /** Ids of all statements in their order, after one of them. */
  async idsAfter(id: string, limit: number): Promise<string[]> {
    const rows = await this.prisma.statement.findMany({
      where: { id: { gt: id } },
      orderBy: { id: 'asc' },
      take: limit,
      select: { id: true },
    });
    return rows.map((row) => row.id);
  }
}

async function insert(
  tx: Prisma.TransactionClient,
  {
    id,
    wallet: { partnerId, environment },
    period,
    report,
    partner,
    platformTaxRegistrationNumber,
    email,
  }: NewStatement,
): Promise<'ok' | 'copying' | 'conflict'> {
  const { walletId, afterSeq, upToSeq, openingBalance, closingBalance } = report;
  const last = await tx.statement.findFirst({ where: { walletId }, orderBy: { sequenceNumber: 'desc' } });
  if (last && last.periodTo.getTime() !== period.from.getTime()) return 'conflict';
  const number = (last?.sequenceNumber ?? 0) + 1;
  const pieces = piecesOf(report);
  const isLong = pieces > PIECES_AT_ONCE;
  await tx.statement.create({
    data: {
      id,
      walletId,
      partnerId,
      environment,
      sequenceNumber: number,
      statementNumber: `ST-${partner.globalId}-${String(number).padStart(6, '0')}`,
      periodFrom: period.from,
      periodTo: period.to,
      generatedAt: report.generatedAt,
      afterSeq,
      upToSeq,
      currency: report.currency,
      openingBalance,
      closingBalance,
      totalDebits: report.totalDebits,
      totalCredits: report.totalCredits,
      partnerGlobalId: partner.globalId,
      partnerName: partner.name,
      partnerTaxRegistrationNumber: partner.taxRegistrationNumber ?? null,
      platformTaxRegistrationNumber: platformTaxRegistrationNumber ?? null,
      documentNature: DOCUMENT_NATURE,
      language: partner.language,
      emailTo: email.to ?? null,
      emailStatus: email.status,
      emailStatusReason: email.reason ?? null,
      emailDueAt: isLong ? new Date(report.generatedAt.getTime() + EMAIL_AFTER_COPY_MS) : report.generatedAt,
    },
    select: { id: true },
  });
  if (isLong) {
    await tx.statementCopy.create({ data: { statementId: id } });
    return 'copying';
  }
  // Raw: see COPY_PIECES.
  await tx.$executeRawUnsafe(COPY_PIECES, id, walletId, afterSeq, upToSeq, 0, pieces);
  return 'ok';
}

function toStatement(row: StatementRow): Statement {
  return {
    id: row.id,
    walletId: row.walletId,
    partnerId: row.partnerId,
    environment: row.environment as EnvironmentName,
    partnerName: row.partnerName,
    language: row.language as StatementLanguage,
    openingBalance: row.openingBalance.toFixed(2),
    closingBalance: row.closingBalance.toFixed(2),
    emailTo: row.emailTo ?? undefined,
    emailStatus: row.emailStatus as EmailStatus,
    emailStatusReason: row.emailStatusReason ?? undefined,
    emailSentAt: row.emailSentAt ?? undefined,
    document: {
      partnerId: row.partnerId,
      partnerGlobalId: row.partnerGlobalId,
      sequenceNumber: row.sequenceNumber,
      statementNumber: row.statementNumber,
      period: { from: row.periodFrom, to: row.periodTo },
      generatedAt: row.generatedAt,
      currency: row.currency,
      totalDebits: row.totalDebits.toFixed(2),
      totalCredits: row.totalCredits.toFixed(2),
      platformTaxRegistrationNumber: row.platformTaxRegistrationNumber ?? undefined,
      partnerTaxRegistrationNumber: row.partnerTaxRegistrationNumber ?? undefined,
      documentNature: row.documentNature,
      afterSeq: row.afterSeq,
      upToSeq: row.upToSeq,
    },
  };
}
