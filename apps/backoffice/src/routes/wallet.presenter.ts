import type { Wallet, WalletTransaction } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { present, presentRequiredMoment, presentTransaction } from '@reseller/presenters';
import { presentEnvironment } from './values.presenter';

/** A wallet with its balance. */
export function presentWallet(message: Wallet | undefined) {
  const wallet = present(message, 'wallet');
  return {
    id: wallet.id,
    partnerId: wallet.partnerId,
    environment: presentEnvironment(wallet.environment),
    currency: wallet.currency,
    currentBalance: toJsonNumber(wallet.currentBalance),
    availableBalance: toJsonNumber(wallet.availableBalance),
    openedAt: presentRequiredMoment(wallet.openedAt, 'opened_at'),
  };
}

/** A ledger line as its partner reads it, and whose decision it follows from; null where a partner caused it (spec §18.4). */
export function presentLedgerLine(message: WalletTransaction | undefined) {
  const line = present(message, 'transaction');
  const { decidedBy } = line;
  return {
    ...presentTransaction(line),
    operator: decidedBy?.operator ?? null,
    requestId: decidedBy?.requestId ?? null,
    approvedBy: decidedBy?.approvedBy ?? null,
  };
}
