import type { FundsServiceService } from '@reseller/contracts';
import type { RpcHandlers } from '@reseller/rpc';
import { RequestCheck } from '../ledger/request-check';
import type { WalletBatcher } from '../ledger/wallet-batcher';
import { getBalance, type BalanceSource } from '../wallet/get-balance';
import { captureFunds, pinReservation, refundFunds, releaseFunds, reserveFunds } from './move-funds';

/** What the funds service works with. */
export interface FundsHandlerDeps {
  batcher: WalletBatcher;
  balances: BalanceSource;
}

/** Serves reseller.finance.v1.FundsService. */
export function createFundsHandlers({
  batcher,
  balances,
}: FundsHandlerDeps): RpcHandlers<typeof FundsServiceService> {
  return {
    async checkFunds(request) {
      const check = new RequestCheck();
      const wallet = check.wallet(request);
      check.end();
      const { currency, available, displayRate } = await getBalance(balances, wallet);
      return { currency, availableBalance: available, displayRate };
    },

    async reserveFunds(request) {
      const check = new RequestCheck();
      const wallet = check.wallet(request);
      const reservationKey = check.key('reservationKey', request.reservationKey);
      const amount = check.amount('amount', request.amount);
      const reference = check.key('orderGlobalId', request.orderGlobalId);
      check.end();
      return reserveFunds(batcher, wallet, { reservationKey, amount, reference, pinned: request.pinned });
    },

    async pinReservation(request) {
      const check = new RequestCheck();
      const wallet = check.wallet(request);
      const reservationKey = check.key('reservationKey', request.reservationKey);
      check.end();
      await pinReservation(batcher, wallet, reservationKey);
      return {};
    },

    async captureFunds(request) {
      const check = new RequestCheck();
      const wallet = check.wallet(request);
      const reservationKey = check.key('reservationKey', request.reservationKey);
      const amount = check.amount('amount', request.amount);
      const notes = check.notes(request.notes);
      check.end();
      return captureFunds(batcher, wallet, { reservationKey, amount, notes });
    },

    async releaseFunds(request) {
      const check = new RequestCheck();
      const wallet = check.wallet(request);
      const reservationKey = check.key('reservationKey', request.reservationKey);
      check.end();
      await releaseFunds(batcher, wallet, reservationKey);
      return {};
    },

    async refundFunds(request) {
      const check = new RequestCheck();
      const wallet = check.wallet(request);
      const operationKey = check.key('operationKey', request.operationKey);
      const reservationKey = check.key('reservationKey', request.reservationKey);
      const amount = check.amount('amount', request.amount);
      const notes = check.notes(request.notes);
      check.end();
      return refundFunds(batcher, wallet, { operationKey, reservationKey, amount, notes });
    },
  };
}
