import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { Ledger } from '../ledger/create-ledger';
import { resultOf } from '../ledger/domain/refusal-error';
import type { WalletOperation, WalletRef } from '../ledger/domain/wallet-operation';
import type { WalletLine } from './domain/wallet-transaction';
import type { TransactionRepository } from './transaction.repository';
import { walletFundedEvent } from './wallet-events';
import type { WalletRepository } from './wallet.repository';

/** What funding a wallet works with. */
export interface FundWalletDeps {
  ledger: Ledger;
  wallets: WalletRepository;
  transactions: Pick<TransactionRepository, 'findDecision'>;
}

/**
 * An operator's credit or adjustment, once for its key in this wallet; the same values again get the first line.
 * Throws NOT_FOUND_WALLET, BUSINESS_INSUFFICIENT_BALANCE (a negative adjustment past what is available) and
 * CONFLICT_IDEMPOTENCY_KEY_REUSED.
 */
export async function fundWallet(
  { ledger, wallets, transactions }: FundWalletDeps,
  ref: WalletRef,
  operation: Extract<WalletOperation, { kind: 'credit' | 'adjust' }>,
): Promise<WalletLine> {
  const wallet = await wallets.find(ref);
  if (!wallet) throw new AppError('NOT_FOUND_WALLET');
  const result = resultOf(
    await ledger.submitWithEvent(ref, operation, (posted) => walletFundedEvent(wallet, operation, posted)),
  );
  // A repetition is the first one's decision, whoever repeats it.
  const decidedBy = result.postedId
    ? operation.decidedBy
    : await transactions.findDecision(result.referenceId);
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
    decidedBy,
  };
}
