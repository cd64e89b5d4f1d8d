import type { FundsServiceService } from '@reseller/contracts';
import { RequestCheck, type RpcHandlers } from '@reseller/rpc';
import type { Ledger } from '../ledger/create-ledger';
import { LONGEST_KEY, LONGEST_NOTES } from '../ledger/domain/limits';
import { getBalance, type BalanceSource } from '../wallet/get-balance';
import { captureFunds, pinReservation, refundFunds, releaseFunds, reserveFunds } from './move-funds';

/** What the funds service works with. */
export interface FundsHandlerDeps {
  ledger: Ledger;
  balances: BalanceSource;
}

/** Serves reseller.finance.v1.FundsService. */
export function createFundsHandlers({
  ledger,
  balances,
}: FundsHandlerDeps): RpcHandlers<typeof FundsServiceService> {
  return {
    async checkFunds(request) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      check.end();
      const { currency, available, displayRate } = await getBalance(balances, wallet);
      return { currency, availableBalance: available, displayRate };
    },

    async reserveFunds(request) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const amount = check.amount('amount', request.amount);
      const reference = check.text('orderGlobalId', request.orderGlobalId, LONGEST_KEY);
      check.end();
      return reserveFunds(ledger, wallet, { reservationKey, amount, reference, pinned: request.pinned });
    },

    async pinReservation(request) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      check.end();
      await pinReservation(ledger, wallet, reservationKey);
      return {};
    },

    async captureFunds(request) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const amount = check.amount('amount', request.amount);
      const notes = check.optionalText('notes', request.notes, LONGEST_NOTES);
      check.end();
      return captureFunds(ledger, wallet, { reservationKey, amount, notes });
    },

    async releaseFunds(request) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      check.end();
      await releaseFunds(ledger, wallet, reservationKey);
      return {};
    },

    async refundFunds(request) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const operationKey = check.text('operationKey', request.operationKey, LONGEST_KEY);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const amount = check.amount('amount', request.amount);
      const notes = check.optionalText('notes', request.notes, LONGEST_NOTES);
      check.end();
      return refundFunds(ledger, wallet, { operationKey, reservationKey, amount, notes });
    },
  };
}
