import { decimal } from '@reseller/money';
import type { Ledger } from '../ledger/create-ledger';
import type { WalletOperation, WalletRef } from '../ledger/domain/wallet-operation';
import { resultOf } from '../ledger/domain/refusal-error';
import type { WalletLine } from './domain/wallet-transaction';

/**
 * An operator's credit or adjustment, once for its key in this wallet; the same values again answer the first line.
 * Throws NOT_FOUND_WALLET, BUSINESS_INSUFFICIENT_BALANCE (a negative adjustment past what is available) and
 * CONFLICT_IDEMPOTENCY_KEY_REUSED.
 */
export async function fundWallet(
  ledger: Ledger,
  wallet: WalletRef,
  operation: Extract<WalletOperation, { kind: 'credit' | 'adjust' }>,
): Promise<WalletLine> {
  const result = resultOf(await ledger.submit(wallet, operation));
  const amount = decimal(operation.amount);
  return {
    transactionId: result.transactionId,
    occurredAt: result.occurredAt,
    transactionType: amount.isNegative() ? 'Debit' : 'Credit',
    referenceType: operation.kind === 'credit' ? 'Deposit' : 'Adjustment',
    referenceId: result.referenceId,
    amount: amount.abs().toFixed(2),
    balanceAfter: result.balanceAfter,
    notes: operation.notes,
  };
}
