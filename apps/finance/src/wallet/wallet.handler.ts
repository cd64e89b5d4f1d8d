import type { AdjustWalletRequest, CreditWalletRequest, WalletServiceService } from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import {
  partnerScopeOf,
  RequestCheck,
  requireOperator,
  sandboxScopeOf,
  type RpcHandlers,
} from '@reseller/rpc';
import { decisionOfCall } from '../ledger/decision';
import { LONGEST_KEY, LONGEST_NOTES } from '../ledger/domain/limits';
import { creditOwnWallet } from './credit-own-wallet';
import { fundWallet } from './fund-wallet';
import type { FundingRepository } from './funding.repository';
import { listTransactions } from './list-transactions';
import { openWallet } from './open-wallet';
import { getBalance, type BalanceSource } from './get-balance';
import type { TransactionRepository } from './transaction.repository';
import {
  toPartnersTransactionMessage,
  toTransactionMessage,
  toTypeFilter,
  toWalletMessage,
} from './wallet.mapper';
import type { WalletRepository } from './wallet.repository';

/** An order has a handful of lines; this only keeps a mistaken reference from filling the memory. */
const LINES_BY_REFERENCE = 1000;

/** The most that a partner may give itself at once in its sandbox, in SAR (spec §15.1). */
const MOST_PLAY_MONEY = 100_000;
const LONGEST_REFERENCE = 128;

/** What the wallet service works with. */
interface WalletHandlerDeps {
  funding: FundingRepository;
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
      return { transactions: lines.map(toPartnersTransactionMessage), page: toPageInfo(page, totalCount) };
    },

    async getOrderMoney({ orderGlobalId }, call) {
      const owner = partnerScopeOf(call);
      const check = new RequestCheck();
      check.text('orderGlobalId', orderGlobalId, LONGEST_KEY);
      check.end();
      const wallet = await deps.wallets.find(owner);
      if (!wallet) return { hold: undefined, transactions: [] };
      // An order's hold has its global id for a key.
      const [hold, lines] = await Promise.all([
        deps.transactions.findHold(wallet.id, orderGlobalId),
        deps.transactions.listByReference(orderGlobalId, LINES_BY_REFERENCE, wallet.id),
      ]);
      return { hold, transactions: lines.map(toPartnersTransactionMessage) };
    },

    async getWallet(request) {
      const check = new RequestCheck();
      const ref = check.owner(request);
      check.end();
      const wallet = await deps.wallets.find(ref);
      if (!wallet) throw new AppError('NOT_FOUND_WALLET');
      return { wallet: toWalletMessage(wallet, await getBalance(deps.balances, ref)) };
    },

    async listWalletTransactions({ page, fromAt, toAt, transactionType, ...request }) {
      const check = new RequestCheck();
      const ref = check.owner(request);
      check.end();
      const filter = { from: fromAt, to: toAt, type: toTypeFilter(transactionType) };
      const { lines, totalCount } = await listTransactions(deps, ref, filter, page);
      return { transactions: lines.map(toTransactionMessage), page: toPageInfo(page, totalCount) };
    },

    async openWallet(request, call) {
      requireOperator(call);
      const check = new RequestCheck();
      const ref = check.owner(request);
      check.end();
      const { wallet, balance } = await openWallet(deps, ref);
      return { wallet: toWalletMessage(wallet, balance) };
    },

    async creditWallet(request, call) {
      const decidedBy = decisionOfCall(call);
      const check = new RequestCheck();
      const amount = check.amount('amount', request.amount);
      const { wallet, notes, idempotencyKey } = fundingOf(check, request);
      const operation = { kind: 'credit' as const, idempotencyKey, amount, notes, decidedBy };
      const line = await fundWallet(deps, wallet, operation, call);
      return { transaction: toTransactionMessage(line) };
    },

    async creditSandboxWallet({ externalReference, ...request }, call) {
      const wallet = sandboxScopeOf(call);
      const check = new RequestCheck();
      const amount = check.amount('amount', request.amount);
      if (decimal(amount).gt(MOST_PLAY_MONEY)) check.fault('amount', `must be at most ${MOST_PLAY_MONEY}`);
      check.text('externalReference', externalReference, LONGEST_REFERENCE);
      check.end();
      const line = await creditOwnWallet(deps, wallet, { amount, externalReference }, call);
      return { transaction: toPartnersTransactionMessage(line) };
    },

    async adjustWallet(request, call) {
      const decidedBy = decisionOfCall(call);
      const check = new RequestCheck();
      const amount = check.signedAmount('amount', request.amount);
      const { wallet, notes, idempotencyKey } = fundingOf(check, request);
      const operation = { kind: 'adjust' as const, idempotencyKey, amount, notes, decidedBy };
      const line = await fundWallet(deps, wallet, operation, call);
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
