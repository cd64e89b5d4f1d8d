import type { FundsServiceService } from '@reseller/contracts';
import { RequestCheck, type RpcHandlers } from '@reseller/rpc';
import type { Ledger } from '../ledger/create-ledger';
import { LONGEST_KEY, LONGEST_NOTES } from '../ledger/domain/limits';
import { decisionOf } from '../ledger/decision';
import { getBalance, type BalanceSource } from '../wallet/get-balance';
import { captureFunds, pinReservation, refundFunds, releaseFunds, reserveFunds } from './move-funds';

/** Characters of what stands for a recipient. */
const LONGEST_HASH = 64;

/** What the funds service works with. */
interface FundsHandlerDeps {
  ledger: Ledger;
  balances: BalanceSource;
}

/** Serves reseller.finance.v1.FundsService. */
export function createFundsHandlers({
  ledger,
  balances,
}: FundsHandlerDeps): RpcHandlers<typeof FundsServiceService> {
  return {
    async checkFunds(request, call) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      check.end();
      const { currency, available, displayRate } = await getBalance(balances, wallet, call);
      return { currency, availableBalance: available, displayRate };
    },

    async reserveFunds(request, call) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const amount = check.amount('amount', request.amount);
      const reference = check.text('orderGlobalId', request.orderGlobalId, LONGEST_KEY);
      const { pinned, submittedAt, recipientHash: recipient } = request;
      if (recipient !== undefined) check.text('recipientHash', recipient, LONGEST_HASH);
      check.end();
      const values = { reservationKey, amount, reference, pinned, submittedAt, recipient };
      return { ...(await reserveFunds(ledger, wallet, values, call)), hasDisplayRate: true };
    },

    async pinReservation(request, call) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      check.end();
      await pinReservation(ledger, wallet, reservationKey, call);
      return {};
    },

    async captureFunds(request, call) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const amount = check.amount('amount', request.amount);
      const notes = check.optionalText('notes', request.notes, LONGEST_NOTES);
      const decidedBy = decisionOf(check, request.decidedBy);
      check.end();
      return captureFunds(ledger, wallet, { reservationKey, amount, notes, decidedBy }, call);
    },

    async releaseFunds(request, call) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      check.end();
      await releaseFunds(ledger, wallet, reservationKey, call);
      return {};
    },

    async refundFunds(request, call) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const operationKey = check.text('operationKey', request.operationKey, LONGEST_KEY);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const amount = check.amount('amount', request.amount);
      const notes = check.optionalText('notes', request.notes, LONGEST_NOTES);
      const decidedBy = decisionOf(check, request.decidedBy);
      check.end();
      const values = { operationKey, reservationKey, amount, notes, decidedBy };
      return refundFunds(ledger, wallet, values, call);
    },
  };
}
