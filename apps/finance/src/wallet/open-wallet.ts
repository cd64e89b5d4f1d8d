import { AppError } from '@reseller/errors';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { Balance } from './balance.repository';
import { getBalance, type BalanceSource } from './get-balance';
import type { WalletRecord, WalletRepository } from './wallet.repository';

const NOTHING = { posted: '0.00', available: '0.00', displayRate: undefined };

/**
 * Opens a wallet in SAR with nothing in it; a second opening returns the wallet as it is now. One that was opened by this call is
 * returned without another read, which could fail after the commit (spec §3.3).
 */
export async function openWallet(
  { wallets, balances }: { wallets: WalletRepository; balances: BalanceSource },
  ref: WalletRef,
): Promise<{ wallet: WalletRecord; balance: Balance }> {
  const opened = await wallets.openOnce(ref);
  if (opened) return { wallet: opened, balance: { ...NOTHING, currency: opened.currency } };
  const wallet = await wallets.find(ref);
  if (!wallet)
    throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('a wallet that is open was not found') });
  return { wallet, balance: await getBalance(balances, ref) };
}
