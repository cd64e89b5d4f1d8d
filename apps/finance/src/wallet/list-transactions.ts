import type { PageRequest } from '@reseller/contracts';
import { pageBounds } from '@reseller/database';
import { AppError } from '@reseller/errors';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import { LEDGER_START, pageOfEntries, type TypeFilter } from './domain/entry-range';
import type { WalletLine } from './domain/wallet-transaction';
import type { TransactionRepository } from './transaction.repository';
import type { WalletRepository } from './wallet.repository';

/** Which lines of a wallet; `from` is inclusive, `to` exclusive. */
interface TransactionFilter {
  from: Date | undefined;
  to: Date | undefined;
  type: TypeFilter;
}

/** A page of a wallet's lines, newest first, and how many match; throws NOT_FOUND_WALLET. */
export async function listTransactions(
  { wallets, transactions }: { wallets: WalletRepository; transactions: TransactionRepository },
  ref: WalletRef,
  { from, to, type }: TransactionFilter,
  page: PageRequest | undefined,
): Promise<{ lines: WalletLine[]; totalCount: number }> {
  const wallet = await wallets.find(ref);
  if (!wallet) throw new AppError('NOT_FOUND_WALLET');
  const start = from ? await transactions.positionBefore(wallet.id, from) : LEDGER_START;
  const end = to ? await transactions.positionBefore(wallet.id, to) : wallet.end;
  const range = pageOfEntries(start, end, type, pageBounds(page));
  return { lines: await transactions.listRange(wallet.id, type, range), totalCount: range.total };
}
