import { AppError, validationFailed } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { v7 as uuidv7 } from 'uuid';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { PartnerDirectory } from '../partner/partner-directory';
import type { WalletRepository } from '../wallet/wallet.repository';
import { planEmail, type Period, type Statement } from './domain/statement';
import type { LedgerReportRepository } from './ledger-report.repository';
import type { ReportQueue } from './report-queue';
import type { StatementRepository } from './statement.repository';

/** What making and reporting statements works with. */
export interface StatementDeps {
  statements: StatementRepository;
  ledgerReports: LedgerReportRepository;
  wallets: WalletRepository;
  directory: PartnerDirectory;
  platformTaxRegistrationNumber: string | undefined;
  /** Whether there is a mail server to send statements by. */
  hasMailServer: boolean;
  /** Lets partners' reports take turns. */
  queue: ReportQueue;
  /** Called when a statement has an e-mail to be sent. */
  onPending?: () => void;
  /** Called when a statement has lines to be copied. */
  onCopying?: () => void;
}

/**
 * Makes the next statement of a wallet, locked from then on. Of any number at once for one period, one makes it. Throws
 * VALIDATION_FAILED (it ends in the future), NOT_FOUND_WALLET and CONFLICT_STATEMENT_PERIOD.
 */
export async function createStatement(
  deps: StatementDeps,
  wallet: WalletRef,
  period: Period,
  call: CallContext,
): Promise<Statement> {
  const { statements, ledgerReports, wallets, directory } = deps;
  if (!(await wallets.find(wallet))) throw new AppError('NOT_FOUND_WALLET');
  const partner = await directory.get(wallet.partnerId, call);
  if ((await ledgerReports.closeLedger(wallet, period.to)) === undefined) {
    throw validationFailed([{ path: 'periodTo', message: 'must not lie in the future' }]);
  }
  const report = await ledgerReports.report(wallet, period);
  if (!report) throw new AppError('NOT_FOUND_WALLET');
  const id = uuidv7();
  const email = planEmail(deps.hasMailServer, partner.billingEmail);
  const outcome = await statements.create({
    id,
    wallet,
    period,
    report,
    partner,
    platformTaxRegistrationNumber: deps.platformTaxRegistrationNumber,
    email,
  });
  if (outcome === 'conflict') throw new AppError('CONFLICT_STATEMENT_PERIOD');
  const statement = await statements.find(id);
  if (!statement) throw new Error('a statement that was made was not found');
  if (outcome === 'copying') deps.onCopying?.();
  else if (email.status === 'Pending') deps.onPending?.();
  return statement;
}
