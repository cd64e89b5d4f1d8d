import type { WalletRef } from '../../ledger/domain/wallet-operation';
import type { StatementLanguage } from '@reseller/statement-pdf';
import type { WalletLine } from '../../wallet/domain/wallet-transaction';

/** What the document says it is, and is not (spec §9, the specification's "Billing statement"). */
export const DOCUMENT_NATURE =
  'This is a commercial billing document for reconciliation. It is not a legal tax invoice.';

/** Lines that are stored, sent and rendered together, so that no part holds a whole document. */
export const PIECE_SIZE = 500;

/** From inclusive, to exclusive. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** What a statement says but for its lines; amounts in two decimals. */
export interface StatementDocument {
  readonly partnerId: string;
  readonly partnerGlobalId: string;
  /** Both absent on a provisional document. */
  readonly sequenceNumber: number | undefined;
  readonly statementNumber: string | undefined;
  readonly period: Period;
  readonly generatedAt: Date;
  readonly currency: string;
  readonly totalDebits: string;
  readonly totalCredits: string;
  readonly platformTaxRegistrationNumber: string | undefined;
  readonly partnerTaxRegistrationNumber: string | undefined;
  readonly documentNature: string;
  /** Its lines are the wallet's entries after the one position up to the other. */
  readonly afterSeq: bigint;
  readonly upToSeq: bigint;
}

/** How far the sending of its e-mail is (spec §9.3). */
export type EmailStatus = 'Pending' | 'Sent' | 'Failed' | 'Skipped';

/** A persisted statement. */
export interface Statement extends WalletRef {
  readonly id: string;
  readonly walletId: string;
  readonly document: StatementDocument;
  readonly partnerName: string;
  /** In which it is printed. */
  readonly language: StatementLanguage;
  readonly openingBalance: string;
  readonly closingBalance: string;
  readonly emailTo: string | undefined;
  readonly emailStatus: EmailStatus;
  readonly emailStatusReason: string | undefined;
  readonly emailSentAt: Date | undefined;
}

/** What a new statement's e-mail begins with. */
export interface EmailPlan {
  readonly to: string | undefined;
  readonly status: 'Pending' | 'Skipped';
  readonly reason: string | undefined;
}

/** Skipped at once without a mail server or an address (spec §9.3). */
export function planEmail(hasMailServer: boolean, address: string | undefined): EmailPlan {
  if (!hasMailServer) return { to: address, status: 'Skipped', reason: 'No mail server is configured' };
  if (address === undefined) {
    return { to: undefined, status: 'Skipped', reason: 'The partner has no billing address' };
  }
  return { to: address, status: 'Pending', reason: undefined };
}

/** How many pieces the lines of a document make. */
export const piecesOf = ({ afterSeq, upToSeq }: Pick<StatementDocument, 'afterSeq' | 'upToSeq'>): number =>
  Math.ceil(Number(upToSeq - afterSeq) / PIECE_SIZE);

/** A line as a statement keeps it: every figure as text, the time to the microsecond. */
export type StoredLine = Omit<WalletLine, 'occurredAt' | VatFigure> & { occurredAt: string } & Record<
    VatFigure,
    string | null
  >;

type VatFigure =
  | 'orderGoodsVatAmount'
  | 'orderCommissionVatAmount'
  | 'orderTotalAmountWithVat'
  | 'orderTotalCommissionWithVat';

/** The line as the wallet's list has it. */
export function toWalletLine(line: StoredLine): WalletLine {
  return {
    ...line,
    occurredAt: new Date(line.occurredAt),
    orderGoodsVatAmount: line.orderGoodsVatAmount ?? undefined,
    orderCommissionVatAmount: line.orderCommissionVatAmount ?? undefined,
    orderTotalAmountWithVat: line.orderTotalAmountWithVat ?? undefined,
    orderTotalCommissionWithVat: line.orderTotalCommissionWithVat ?? undefined,
  };
}
