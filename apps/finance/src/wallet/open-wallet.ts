import { AppError } from '@reseller/errors';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { Balance } from './balance.repository';
import { getBalance, type BalanceSource } from './get-balance';
import type { WalletRecord, WalletRepository } from './wallet.repository';

/** Opens a wallet in SAR with nothing in it; a second opening returns the wallet as it is now. */
export async function openWallet(
  { wallets, balances }: { wallets: WalletRepository; balances: BalanceSource },
  ref: WalletRef,
): Promise<{ wallet: WalletRecord; balance: Balance }> {
  await wallets.openOnce(ref);
  const wallet = await wallets.find(ref);
  if (!wallet)
    throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('an opened wallet was not found') });
  return { wallet, balance: await getBalance(balances, ref) };
}
