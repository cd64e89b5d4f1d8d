import type { Wallet } from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { present, presentRequiredMoment } from '@reseller/presenters';
import { presentEnvironment } from './partner.presenter';

/** A wallet as operators read it. */
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
