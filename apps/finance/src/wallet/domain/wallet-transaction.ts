import type { OperatorDecision } from '../../ledger/domain/operator-decision';

/** Which way the money went, seen from the partner. */
export type TransactionKind = 'Debit' | 'Credit';

/** What a ledger line is about (spec §3.6). */
export type ReferenceKind =
  | 'Order'
  | 'Commission'
  | 'Refund'
  | 'CommissionClawback'
  | 'Deposit'
  | 'Adjustment';

/** One line of a wallet's ledger; amounts are positive, in SAR, with two decimals. */
export interface WalletLine {
  transactionId: string;
  occurredAt: Date;
  transactionType: TransactionKind;
  referenceType: ReferenceKind;
  referenceId: string;
  amount: string;
  balanceAfter: string;
  notes: string;
  /** The operator's decision that it follows from; absent where a partner caused it. */
  decidedBy?: OperatorDecision | undefined;
  orderGoodsVatAmount?: string | undefined;
  orderCommissionVatAmount?: string | undefined;
  orderTotalAmountWithVat?: string | undefined;
  orderTotalCommissionWithVat?: string | undefined;
}
