import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { StatementDeps } from './create-statement';
import { DOCUMENT_NATURE, type Period, type StatementDocument } from './domain/statement';

/**
 * A provisional document of any period, as the ledger stands now; nothing is persisted. Throws NOT_FOUND_WALLET, and
 * SERVICE_UNAVAILABLE when its turn does not come in time.
 */
export async function reportStatement(
  { ledgerReports, directory, queue, platformTaxRegistrationNumber }: StatementDeps,
  wallet: WalletRef,
  period: Period,
  call: CallContext,
): Promise<StatementDocument> {
  const caller = { partnerId: wallet.partnerId, signal: call.signal };
  const report = await queue.run(caller, () => ledgerReports.report(wallet, period));
  if (!report) throw new AppError('NOT_FOUND_WALLET');
  const partner = await directory.get(wallet.partnerId, call);
  return {
    partnerId: wallet.partnerId,
    partnerGlobalId: partner.globalId,
    sequenceNumber: undefined,
    statementNumber: undefined,
    period,
    generatedAt: report.generatedAt,
    currency: report.currency,
    totalDebits: report.totalDebits,
    totalCredits: report.totalCredits,
    platformTaxRegistrationNumber,
    partnerTaxRegistrationNumber: partner.taxRegistrationNumber,
    documentNature: DOCUMENT_NATURE,
    afterSeq: report.afterSeq,
    upToSeq: report.upToSeq,
  };
}
