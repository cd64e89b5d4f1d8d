import type { SettlementLine, SettlementServiceService } from '@reseller/contracts';
import { RequestCheck, type RpcHandlers } from '@reseller/rpc';
import { decisionOf } from '../ledger/decision';
import { LONGEST_KEY, LONGEST_NOTES } from '../ledger/domain/limits';
import type { Ledger } from '../ledger/create-ledger';
import type { LineAmounts } from './domain/settlement';
import { refundUnits, type RefundUnitsDeps } from './refund-units';
import { settleOrder } from './settle-order';
import { toSettlementLineMessage } from './settlement.mapper';

const MOST_LINES = 500;
const MOST_UNITS = 100_000;

/** What the settlement service works with. */
interface SettlementHandlerDeps extends RefundUnitsDeps {
  ledger: Ledger;
}

/** Serves reseller.finance.v1.SettlementService. */
export function createSettlementHandlers(
  deps: SettlementHandlerDeps,
): RpcHandlers<typeof SettlementServiceService> {
  return {
    async settleOrder(request, call) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const notes = check.optionalText('notes', request.notes, LONGEST_NOTES);
      const lines = request.lines.map((line, index) => readLine(check, `lines.${index}`, line));
      checkLines(check, lines);
      const decidedBy = decisionOf(check, request.decidedBy);
      check.end();
      return settleOrder(deps.ledger, wallet, { reservationKey, lines, notes, decidedBy }, call);
    },

    async refundUnits(request) {
      const check = new RequestCheck();
      const wallet = check.owner(request);
      const operationKey = check.text('operationKey', request.operationKey, LONGEST_KEY);
      const reservationKey = check.text('reservationKey', request.reservationKey, LONGEST_KEY);
      const notes = check.optionalText('notes', request.notes, LONGEST_NOTES);
      const lines = request.lines.map(({ lineId, quantity }, index) => ({
        lineId: check.uuid(`lines.${index}.lineId`, lineId),
        quantity: check.count(`lines.${index}.quantity`, quantity, MOST_UNITS),
      }));
      checkLines(check, lines);
      const decidedBy = decisionOf(check, request.decidedBy);
      check.end();
      const units = { operationKey, reservationKey, lines, notes, decidedBy };
      const refund = await refundUnits(deps, wallet, units);
      const { refundedAt, refundedAmount, clawedBackAmount } = refund;
      return {
        refundedAt,
        refundedAmount,
        clawedBackAmount,
        lines: refund.lines.map(toSettlementLineMessage),
      };
    },
  };
}

function readLine(check: RequestCheck, path: string, line: SettlementLine): LineAmounts {
  return {
    lineId: check.uuid(`${path}.lineId`, line.lineId),
    quantity: check.count(`${path}.quantity`, line.quantity, MOST_UNITS),
    goods: check.amountOrZero(`${path}.goodsAmount`, line.goodsAmount),
    goodsVat: check.amountOrZero(`${path}.goodsVatAmount`, line.goodsVatAmount),
    commission: check.amountOrZero(`${path}.commissionAmount`, line.commissionAmount),
    commissionVat: check.amountOrZero(`${path}.commissionVatAmount`, line.commissionVatAmount),
  };
}

function checkLines(check: RequestCheck, lines: readonly { lineId: string }[]): void {
  if (lines.length < 1 || lines.length > MOST_LINES)
    check.fault('lines', `expected 1 to ${MOST_LINES} lines`);
  if (new Set(lines.map(({ lineId }) => lineId)).size < lines.length) {
    check.fault('lines', 'expected each line once');
  }
}
