import type { AdjustWalletRequest, CreditWalletRequest, WalletServiceService } from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { partnerScopeOf, RequestCheck, type RpcHandlers } from '@reseller/rpc';
import type { Ledger } from '../ledger/create-ledger';
import { LONGEST_KEY, LONGEST_NOTES } from '../ledger/domain/limits';
import { fundWallet } from './fund-wallet';
import { listTransactions } from './list-transactions';
import { openWallet } from './open-wallet';
import { getBalance, type BalanceSource } from './get-balance';
import type { TransactionRepository } from './transaction.repository';
import { toTransactionMessage, toTypeFilter, toWalletMessage } from './wallet.mapper';
import type { WalletRepository } from './wallet.repository';

/** An order has a handful of lines; this only keeps a mistaken reference from filling the memory. */
const LINES_BY_REFERENCE = 1000;

/** What the wallet service works with. */
export interface WalletHandlerDeps {
  ledger: Ledger;
  balances: BalanceSource;
  wallets: WalletRepository;
  transactions: TransactionRepository;
}

/** Serves reseller.finance.v1.WalletService. */
export function createWalletHandlers(deps: WalletHandlerDeps): RpcHandlers<typeof WalletServiceService> {
  return {
    async getBalance(_request, call) {
      const balance = await getBalance(deps.balances, partnerScopeOf(call), call);
      const { currency, posted, available, displayRate } = balance;
      return { currency, currentBalance: posted, availableBalance: available, displayRate };
    },

    async listTransactions({ page, fromAt, toAt, transactionType }, call) {
      const filter = { from: fromAt, to: toAt, type: toTypeFilter(transactionType) };
      const { lines, totalCount } = await listTransactions(deps, partnerScopeOf(call), filter, page);
      return { transactions: lines.map(toTransactionMessage), page: toPageInfo(page, totalCount) };
    },

    async openWallet(request) {
      const check = new RequestCheck();
      const ref = check.owner(request);
      check.end();
      const { wallet, balance } = await openWallet(deps, ref);
      return { wallet: toWalletMessage(wallet, balance) };
    },

    async creditWallet(request) {
      const check = new RequestCheck();
      const amount = check.amount('amount', request.amount);
      const { wallet, notes, idempotencyKey } = fundingOf(check, request);
      const line = await fundWallet(deps, wallet, { kind: 'credit', idempotencyKey, amount, notes });
      return { transaction: toTransactionMessage(line) };
    },

    async adjustWallet(request) {
      const check = new RequestCheck();
      const amount = check.signedAmount('amount', request.amount);
      const { wallet, notes, idempotencyKey } = fundingOf(check, request);
      const line = await fundWallet(deps, wallet, { kind: 'adjust', idempotencyKey, amount, notes });
      return { transaction: toTransactionMessage(line) };
    },

    async listTransactionsByReference({ referenceId }) {
      const check = new RequestCheck();
      check.text('referenceId', referenceId, LONGEST_KEY);
      check.end();
      const lines = await deps.transactions.listByReference(referenceId, LINES_BY_REFERENCE);
      return { transactions: lines.map(toTransactionMessage) };
    },
  };
}

function fundingOf(check: RequestCheck, request: CreditWalletRequest | AdjustWalletRequest) {
  const wallet = check.owner(request);
  const notes = check.optionalText('notes', request.notes, LONGEST_NOTES);
  const idempotencyKey = check.text('idempotencyKey', request.idempotencyKey, LONGEST_KEY);
  check.end();
  return { wallet, notes, idempotencyKey };
}
