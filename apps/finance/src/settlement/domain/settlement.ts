import { decimal, toFixedString } from '@reseller/money';
import type { OperatorDecision } from '../../ledger/domain/operator-decision';

/** Some units of a line and what they move, in SAR with two decimals. */
export interface LineAmounts {
  readonly lineId: string;
  readonly quantity: number;
  readonly goods: string;
  readonly goodsVat: string;
  readonly commission: string;
  readonly commissionVat: string;
}

/** A line of a settled order, and how many of its units were given back so far. */
export interface SettledLine extends LineAmounts {
  readonly refundedQuantity: number;
}

/** An order's charge and commission, named by the key its funds were reserved under. */
export interface OrderSettlement {
  readonly reservationKey: string;
  readonly lines: readonly LineAmounts[];
  readonly notes: string;
  readonly decidedBy?: OperatorDecision | undefined;
}

/** Units of one line. */
export interface Units {
  readonly lineId: string;
  readonly quantity: number;
}

/** Units of a settled order that are given back. */
export interface UnitsRefund {
  readonly operationKey: string;
  readonly reservationKey: string;
  readonly lines: readonly Units[];
  readonly notes: string;
  readonly decidedBy?: OperatorDecision | undefined;
}

/**
 * What units of a settled order come to; undefined when one of the lines is not there or has fewer left. Each figure is what
 * all units given back so far come to, less what those before came to: parts add up to the whole (spec §8.2). finance keeps the
 * lines and callers name units, never amounts: returns and cancelled groups come in any order and at once, and only the owner of
 * the wallet's lock knows what went before.
 */
export function unitsBack(
  settled: readonly SettledLine[],
  units: readonly Units[],
): LineAmounts[] | undefined {
  const byId = new Map(settled.map((line) => [line.lineId, line]));
  const amounts: LineAmounts[] = [];
  for (const { lineId, quantity } of units) {
    const line = byId.get(lineId);
    if (!line || line.refundedQuantity + quantity > line.quantity) return undefined;
    const part = (amount: string): string => partOf(line, amount, quantity);
    const { goods, goodsVat, commission, commissionVat } = line;
    amounts.push({
      lineId,
      quantity,
      goods: part(goods),
      goodsVat: part(goodsVat),
      commission: part(commission),
      commissionVat: part(commissionVat),
    });
  }
  return amounts;
}

function partOf({ refundedQuantity, quantity }: SettledLine, amount: string, units: number): string {
  const upTo = (count: number): string => toFixedString(decimal(amount).times(count).dividedBy(quantity), 2);
  return toFixedString(decimal(upTo(refundedQuantity + units)).minus(upTo(refundedQuantity)), 2);
}
