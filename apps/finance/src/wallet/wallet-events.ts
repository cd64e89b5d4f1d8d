import { WalletAdjusted, WalletCredited, WalletOpened } from '@reseller/contracts';
import type { OutboxEvent } from '@reseller/messaging';
import { environmentOf } from '@reseller/rpc';
import type { OperationResult, WalletOperation, WalletRef } from '../ledger/domain/wallet-operation';

const TOPIC = 'reseller.finance.wallet.v1';

/** What every event of a wallet says of it. */
interface WalletIdentity extends WalletRef {
  id: string;
  currency: string;
}

/** The event of a wallet's opening. */
export function walletOpenedEvent(wallet: WalletIdentity & { openedAt: Date }): OutboxEvent {
  const payload = WalletOpened.encode({ ...identityOf(wallet), openedAt: wallet.openedAt }).finish();
  return { topic: TOPIC, type: 'reseller.finance.v1.WalletOpened', aggregateId: wallet.id, payload };
}

/** The event of an operator's movement. */
export function walletFundedEvent(
  wallet: WalletIdentity,
  { kind, amount, notes }: Extract<WalletOperation, { kind: 'credit' | 'adjust' }>,
  { transactionId, balanceAfter, occurredAt }: OperationResult,
): OutboxEvent {
  const message = { ...identityOf(wallet), transactionId, amount, balanceAfter, notes, occurredAt };
  const payload = (kind === 'credit' ? WalletCredited : WalletAdjusted).encode(message).finish();
  const name = kind === 'credit' ? 'WalletCredited' : 'WalletAdjusted';
  return { topic: TOPIC, type: `reseller.finance.v1.${name}`, aggregateId: wallet.id, payload };
}

function identityOf({ id, partnerId, environment, currency }: WalletIdentity) {
  return { walletId: id, partnerId, environment: environmentOf(environment), currency };
}
