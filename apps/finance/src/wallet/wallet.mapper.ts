import { ReferenceType, TransactionType, type Wallet, type WalletTransaction } from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import type { Balance } from './balance.repository';
import type { ReferenceKind, TransactionKind, WalletLine } from './domain/wallet-transaction';
import type { WalletRecord } from './wallet.repository';

const TYPES: Record<TransactionKind, TransactionType> = {
  Debit: TransactionType.DEBIT,
  Credit: TransactionType.CREDIT,
};

const REFERENCES: Record<ReferenceKind, ReferenceType> = {
  Order: ReferenceType.ORDER,
  Commission: ReferenceType.COMMISSION,
  Refund: ReferenceType.REFUND,
  CommissionClawback: ReferenceType.COMMISSION_CLAWBACK,
  Deposit: ReferenceType.DEPOSIT,
  Adjustment: ReferenceType.ADJUSTMENT,
};

/** The filter a request names; undefined for no filter. */
export function toTypeFilter(type: TransactionType): TransactionKind | undefined {
  if (type === TransactionType.DEBIT) return 'Debit';
  return type === TransactionType.CREDIT ? 'Credit' : undefined;
}

/** A ledger line as operators read it. */
export function toTransactionMessage(line: WalletLine): WalletTransaction {
  return {
    ...line,
    transactionType: TYPES[line.transactionType],
    referenceType: REFERENCES[line.referenceType],
    decidedBy: line.decidedBy && { requestId: undefined, approvedBy: undefined, ...line.decidedBy },
  };
}

/** A ledger line as its partner reads it, who never sees which operator decided (spec §18.4). */
export const toPartnersTransactionMessage = (line: WalletLine): WalletTransaction =>
  toTransactionMessage({ ...line, decidedBy: undefined });

/** A wallet with its balance as its message. */
export function toWalletMessage(wallet: WalletRecord, balance: Balance): Wallet {
  return {
    id: wallet.id,
    partnerId: wallet.partnerId,
    environment: environmentOf(wallet.environment),
    currency: wallet.currency,
    currentBalance: balance.posted,
    availableBalance: balance.available,
    openedAt: wallet.openedAt,
  };
}
