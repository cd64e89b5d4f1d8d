import type { Patience } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { Balance } from './balance.repository';

/** Where balances come from: a batcher over the repository, so that reads which wait together are one statement. */
export interface BalanceSource {
  read(wallet: WalletRef, patience?: Patience): Promise<Balance | undefined>;
}

/** The balance that the next spend is held to; throws NOT_FOUND_WALLET. */
export async function getBalance(
  balances: BalanceSource,
  wallet: WalletRef,
  patience?: Patience,
): Promise<Balance> {
  const balance = await balances.read(wallet, patience);
  if (!balance) throw new AppError('NOT_FOUND_WALLET');
  return balance;
}
