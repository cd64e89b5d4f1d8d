import {
  ReferenceType,
  TransactionType,
  type GetBalanceResponse,
  type WalletTransaction,
} from '@reseller/contracts';
import { toJsonNumber } from '@reseller/money';
import { findByName } from './order-names';
import {
  presentDisplay,
  presentDisplayAmount,
  presentEnum,
  presentOptionalAmount,
  presentRequiredMoment,
} from './values';

type PublicTransactionType = 'Debit' | 'Credit';
type PublicReferenceType =
  | 'Order'
  | 'Commission'
  | 'Refund'
  | 'CommissionClawback'
  | 'Deposit'
  | 'Adjustment';

const TRANSACTION_TYPE_NAMES: Partial<Record<TransactionType, PublicTransactionType>> = {
  [TransactionType.DEBIT]: 'Debit',
  [TransactionType.CREDIT]: 'Credit',
};

const REFERENCE_TYPE_NAMES: Partial<Record<ReferenceType, PublicReferenceType>> = {
  [ReferenceType.ORDER]: 'Order',
  [ReferenceType.COMMISSION]: 'Commission',
  [ReferenceType.REFUND]: 'Refund',
  [ReferenceType.COMMISSION_CLAWBACK]: 'CommissionClawback',
  [ReferenceType.DEPOSIT]: 'Deposit',
  [ReferenceType.ADJUSTMENT]: 'Adjustment',
};

/** The enum value of a filter; UNSPECIFIED, which is both, for none. */
export function transactionTypeFilter(name: PublicTransactionType | undefined): TransactionType {
  return findByName(TRANSACTION_TYPE_NAMES, name) ?? TransactionType.UNSPECIFIED;
}

/** The balance as partners read it. */
export function presentBalance(balance: GetBalanceResponse) {
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

/** Which way a line's money went, and what it is about. */
export const presentKinds = ({ transactionType, referenceType }: WalletTransaction) => ({
  transactionType: presentEnum(TRANSACTION_TYPE_NAMES, transactionType),
  referenceType: presentEnum(REFERENCE_TYPE_NAMES, referenceType),
});

/** A ledger line as partners read it (spec §3.6). */
export function presentTransaction(line: WalletTransaction) {
  return {
    transactionId: Number(line.transactionId),
    timestamp: presentRequiredMoment(line.occurredAt, 'occurred_at'),
    ...presentKinds(line),
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
