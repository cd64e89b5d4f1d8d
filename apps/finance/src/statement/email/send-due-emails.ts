import { repeatRetryable } from '@reseller/database';
import type { EnvironmentName } from '@reseller/rpc';
import type { Logger } from '@reseller/service-kit';
import type { Statement } from '../domain/statement';
import type { LedgerReportRepository } from '../ledger-report.repository';
import { printStatement } from '../print-statement';
import type { StatementRepository } from '../statement.repository';
import type { EmailRepository, EmailTry } from './email.repository';
import { MailFault, type MailServer, type StatementMail } from './mail-server';

/** Longer than any send: after it the try counts as cut off. */
const LEASE_MS = 15 * 60_000;

/** What the sending works with. */
interface EmailDeps {
  statements: StatementRepository;
  ledgerReports: LedgerReportRepository;
  emails: EmailRepository;
  server: MailServer;
  /** The first pause between two tries; the second is five times as long. */
  retryMs: number;
  log: Pick<Logger, 'warn'>;
  /** Notified of every try: sent, or failed. */
  onTry?: (environment: EnvironmentName, outcome: 'sent' | 'failed') => void;
}

/** Sends one statement that is due, if there is one; returns whether there was, so that the job goes on at once. */
export async function sendNextEmail(deps: EmailDeps): Promise<boolean> {
  const { statements, ledgerReports, emails, server, retryMs, log } = deps;
  const next = await emails.claim(LEASE_MS);
  if (!next) return false;
  try {
    const statement = await statements.find(next.id);
    if (!statement) throw new Error('a statement that is to be sent was not found');
    await server.send(mailOf(statement, ledgerReports));
  } catch (err) {
    deps.onTry?.(next.environment, 'failed');
    log.warn({ err, statementId: next.id, attempt: next.attempt }, 'a statement was not sent');
    const reason = err instanceof MailFault ? err.message : 'The message could not be made';
    await emails.markFailed(next, reason, pauseAfter(next, retryMs));
    return true;
  }
  deps.onTry?.(next.environment, 'sent');
  // The server has it, so it has not failed: what cannot be recorded for longer is sent again once the lease has run out, not sooner.
  await repeatRetryable(() => emails.markSent(next), { attempts: 20, shouldRepeat: () => true });
  return true;
}

const pauseAfter = ({ attempt }: EmailTry, retryMs: number): number => retryMs * 5 ** (attempt - 1);

function mailOf(statement: Statement, ledgerReports: LedgerReportRepository): StatementMail {
  const { id, document, partnerName, emailTo } = statement;
  const { statementNumber, period, currency } = document;
  return {
    to: emailTo ?? '',
    subject: `Billing statement ${statementNumber}`,
    messageId: `<statement-${id}@partner-reseller>`,
    fileName: `${statementNumber}.pdf`,
    pdf: printStatement(statement, (piece) => ledgerReports.statementLines(statement, piece)),
    text: [
      `Dear ${partnerName},`,
      '',
      `attached is billing statement ${statementNumber} (${statement.environment}) for the period from`,
      `${period.from.toISOString()} to ${period.to.toISOString()} (exclusive).`,
      '',
      `Total debits: ${document.totalDebits} ${currency}`,
      `Total credits: ${document.totalCredits} ${currency}`,
      `Closing balance: ${statement.closingBalance} ${currency}`,
      '',
      document.documentNature,
      '',
    ].join('\n'),
  };
}
