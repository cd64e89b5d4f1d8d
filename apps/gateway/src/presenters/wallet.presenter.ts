import {
  ReferenceType,
  TransactionType,
  type GetBalanceResponse,
  type WalletTransaction,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import type { z } from 'zod';
import type { REFERENCE_TYPES, TRANSACTION_TYPES, walletBalance, walletTransaction } from '../schemas/wallet';
import { findByName } from './order-status.presenter';
import {
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentOptionalAmount,
  presentRequiredMoment,
} from './values';

const TRANSACTION_TYPE_NAMES: Partial<Record<TransactionType, (typeof TRANSACTION_TYPES)[number]>> = {
  [TransactionType.DEBIT]: 'Debit',
  [TransactionType.CREDIT]: 'Credit',
};

const REFERENCE_TYPE_NAMES: Partial<Record<ReferenceType, (typeof REFERENCE_TYPES)[number]>> = {
  [ReferenceType.ORDER]: 'Order',
  [ReferenceType.COMMISSION]: 'Commission',
  [ReferenceType.REFUND]: 'Refund',
  [ReferenceType.COMMISSION_CLAWBACK]: 'CommissionClawback',
  [ReferenceType.DEPOSIT]: 'Deposit',
  [ReferenceType.ADJUSTMENT]: 'Adjustment',
};

/** The enum value of a filter; UNSPECIFIED, which is both, for none. */
export function transactionTypeFilter(name: (typeof TRANSACTION_TYPES)[number] | undefined): TransactionType {
  return findByName(TRANSACTION_TYPE_NAMES, name) ?? TransactionType.UNSPECIFIED;
}

/** The balance as partners read it. */
export function presentBalance(balance: GetBalanceResponse): z.input<typeof walletBalance> {
  const { currency, currentBalance, availableBalance, displayRate } = balance;
  return {
    currency,
    currentBalance: toJsonNumber(currentBalance),
    availableBalance: toJsonNumber(availableBalance),
    ...presentDisplay(displayRate),
    currentBalanceDisplay: presentDisplayAmount(currentBalance, displayRate),
    availableBalanceDisplay: presentDisplayAmount(availableBalance, displayRate),
  };
}

/** A ledger line as partners read it (decisions §3.6). */
export function presentTransaction(line: WalletTransaction): z.input<typeof walletTransaction> {
  return {
    transactionId: Number(line.transactionId),
    timestamp: presentRequiredMoment(line.occurredAt, 'occurred_at'),
    transactionType: presentEnum(TRANSACTION_TYPE_NAMES, line.transactionType),
    referenceType: presentEnum(REFERENCE_TYPE_NAMES, line.referenceType),
    referenceId: line.referenceId,
    amount: toJsonNumber(line.amount),
    balanceAfter: toJsonNumber(line.balanceAfter),
    notes: line.notes,
    orderGoodsVatAmount: presentOptionalAmount(line.orderGoodsVatAmount),
    orderCommissionVatAmount: presentOptionalAmount(line.orderCommissionVatAmount),
    orderTotalAmountWithVat: presentOptionalAmount(line.orderTotalAmountWithVat),
    orderTotalCommissionWithVat: presentOptionalAmount(line.orderTotalCommissionWithVat),
  };
}
