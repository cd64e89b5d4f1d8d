import type { AdjustWalletRequest, CreditWalletRequest, WalletServiceService } from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { requirePartner, type CallContext, type RpcHandlers } from '@reseller/rpc';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import { RequestCheck } from '../ledger/request-check';
import type { WalletBatcher } from '../ledger/wallet-batcher';
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
  batcher: WalletBatcher;
  balances: BalanceSource;
  wallets: WalletRepository;
  transactions: TransactionRepository;
}

/** Serves reseller.finance.v1.WalletService. */
export function createWalletHandlers(deps: WalletHandlerDeps): RpcHandlers<typeof WalletServiceService> {
  return {
    async getBalance(_request, call) {
      const balance = await getBalance(deps.balances, callersWallet(call));
      const { currency, posted, available, displayRate } = balance;
      return { currency, currentBalance: posted, availableBalance: available, displayRate };
    },

    async listTransactions({ page, fromAt, toAt, transactionType }, call) {
      const filter = { from: fromAt, to: toAt, type: toTypeFilter(transactionType) };
      const { lines, totalCount } = await listTransactions(deps, callersWallet(call), filter, page);
      return { transactions: lines.map(toTransactionMessage), page: toPageInfo(page, totalCount) };
    },

    async openWallet(request) {
      const check = new RequestCheck();
      const ref = check.wallet(request);
      check.end();
      const { wallet, balance } = await openWallet(deps, ref);
      return { wallet: toWalletMessage(wallet, balance) };
    },

    async creditWallet(request) {
      const check = new RequestCheck();
      const amount = check.amount('amount', request.amount);
      const { wallet, notes, idempotencyKey } = fundingOf(check, request);
      const line = await fundWallet(deps.batcher, wallet, { kind: 'credit', idempotencyKey, amount, notes });
      return { transaction: toTransactionMessage(line) };
    },

    async adjustWallet(request) {
      const check = new RequestCheck();
      const amount = check.signedAmount('amount', request.amount);
      const { wallet, notes, idempotencyKey } = fundingOf(check, request);
      const line = await fundWallet(deps.batcher, wallet, { kind: 'adjust', idempotencyKey, amount, notes });
      return { transaction: toTransactionMessage(line) };
    },

    async listTransactionsByReference({ referenceId }) {
      const check = new RequestCheck();
      check.key('referenceId', referenceId);
      check.end();
      const lines = await deps.transactions.listByReference(referenceId, LINES_BY_REFERENCE);
      return { transactions: lines.map(toTransactionMessage) };
    },
  };
}

function callersWallet(call: CallContext): WalletRef {
  const check = new RequestCheck();
  const wallet = check.wallet(requirePartner(call));
  check.end();
  return wallet;
}

function fundingOf(check: RequestCheck, request: CreditWalletRequest | AdjustWalletRequest) {
  const wallet = check.wallet(request);
  const notes = check.notes(request.notes);
  const idempotencyKey = check.key('idempotencyKey', request.idempotencyKey);
  check.end();
  return { wallet, notes, idempotencyKey };
}
