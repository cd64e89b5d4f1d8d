import { AppError } from '@reseller/errors';
import { decimal, Decimal } from '@reseller/money';
import { resultOf } from '../ledger/domain/refusal-error';
import {
  operationKey,
  requestHash,
  type MoneyOperation,
  type WalletRef,
} from '../ledger/domain/wallet-operation';
import type { WalletRepository } from '../wallet/wallet.repository';
import { unitsBack, type LineAmounts, type UnitsRefund } from './domain/settlement';
import type { SettlementRepository, UnitsRefunded } from './settlement.repository';

/** What giving units back works with. */
export interface RefundUnitsDeps {
  wallets: WalletRepository;
  settlements: SettlementRepository;
}

/**
 * Gives units of a settled order back, once for its key. Throws NOT_FOUND_WALLET, CONFLICT_ORDER_STATE (fewer units are left),
 * BUSINESS_INSUFFICIENT_BALANCE (the clawback exceeds refund and balance) and CONFLICT_IDEMPOTENCY_KEY_REUSED.
 */
export async function refundUnits(
  { wallets, settlements }: RefundUnitsDeps,
  ref: WalletRef,
  { operationKey: key, reservationKey, lines: units, notes, decidedBy }: UnitsRefund,
): Promise<UnitsRefunded> {
  const wallet = await wallets.find(ref);
  if (!wallet) throw new AppError('NOT_FOUND_WALLET');
  return settlements.refund(async (refund) => {
    const settled = await refund.lockLines(reservationKey, wallet.id);
    const operationOf = (lines: readonly LineAmounts[]): MoneyOperation => ({
      kind: 'refund_units',
      operationKey: key,
      reservationKey,
      lines,
      notes,
      decidedBy,
    });
    const request = operationOf(units.map((one) => ({ ...NOTHING, ...one })));
    const earlier = await refund.findRefund(operationKey(ref, request));
    if (earlier) {
      if (earlier.walletId === wallet.id && earlier.requestHash === requestHash(request)) return earlier;
      throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    }
    const lines = unitsBack(settled, units);
    if (!lines) throw new AppError('CONFLICT_ORDER_STATE');
    const { postedId, occurredAt } = resultOf(await refund.post(ref, operationOf(lines)));
    // Posted meanwhile for other lines than these.
    if (postedId === undefined) throw new AppError('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    const refunded = {
      refundedAt: occurredAt,
      refundedAmount: sumOf(lines, ['goods', 'goodsVat']),
      clawedBackAmount: sumOf(lines, ['commission', 'commissionVat']),
      lines,
    };
    await refund.record(postedId, reservationKey, refunded);
    return refunded;
  });
}

const NOTHING = { goods: '0.00', goodsVat: '0.00', commission: '0.00', commissionVat: '0.00' } as const;

function sumOf(lines: readonly LineAmounts[], figures: readonly (keyof typeof NOTHING)[]): string {
  const amounts = lines.flatMap((line) => figures.map((figure) => decimal(line[figure])));
  return amounts.reduce((sum, amount) => sum.plus(amount), new Decimal(0)).toFixed(2);
}
