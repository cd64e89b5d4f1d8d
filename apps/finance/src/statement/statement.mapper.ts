import {
  StatementEmailStatus,
  type Statement as StatementMessage,
  type StatementDocument as DocumentMessage,
} from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import { decimal, toFixedString } from '@reseller/money';
import type { EmailStatus, Statement, StatementDocument } from './domain/statement';

const EMAIL_STATUSES: Record<EmailStatus, StatementEmailStatus> = {
  Pending: StatementEmailStatus.PENDING,
  Sent: StatementEmailStatus.SENT,
  Failed: StatementEmailStatus.FAILED,
  Skipped: StatementEmailStatus.SKIPPED,
};

/** A persisted statement as its message. */
export function toStatementMessage(statement: Statement): StatementMessage {
  return {
    id: statement.id,
    environment: environmentOf(statement.environment),
    document: toDocumentMessage(statement.document),
    emailStatus: EMAIL_STATUSES[statement.emailStatus],
    emailStatusReason: statement.emailStatusReason,
    emailSentAt: statement.emailSentAt,
    partnerName: statement.partnerName,
    openingBalance: statement.openingBalance,
    closingBalance: statement.closingBalance,
    language: statement.language,
  };
}

/** A document without its lines as its message. */
export function toDocumentMessage(document: StatementDocument): DocumentMessage {
  const { period, totalDebits, totalCredits, afterSeq, upToSeq, ...rest } = document;
  return {
    ...rest,
    isProvisional: document.sequenceNumber === undefined,
    periodFromAt: period.from,
    periodToAt: period.to,
    totalDebits,
    totalCredits,
    netPosition: toFixedString(decimal(totalCredits).minus(totalDebits), 2),
    afterPosition: afterSeq.toString(),
    upToPosition: upToSeq.toString(),
  };
}
