import type { SettlementLine } from '@reseller/contracts';
import type { LineAmounts } from './domain/settlement';

/** Units of a line as their message. */
export function toSettlementLineMessage(line: LineAmounts): SettlementLine {
  const { lineId, quantity, goods, goodsVat, commission, commissionVat } = line;
  return {
    lineId,
    quantity,
    goodsAmount: goods,
    goodsVatAmount: goodsVat,
    commissionAmount: commission,
    commissionVatAmount: commissionVat,
  };
}
