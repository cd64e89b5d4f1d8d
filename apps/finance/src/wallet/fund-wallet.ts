import { AppError } from '@reseller/errors';
import { decimal } from '@reseller/money';
import type { CallContext } from '@reseller/rpc';
import { resultOf } from '../ledger/domain/refusal-error';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { WalletLine } from './domain/wallet-transaction';
import type { FundingOperation, FundingRepository } from './funding.repository';
import type { TransactionRepository } from './transaction.repository';
import type { WalletRepository } from './wallet.repository';

/** What funding a wallet works with. */
export interface FundWalletDeps {
  funding: FundingRepository;
  wallets: WalletRepository;
  transactions: Pick<TransactionRepository, 'findDecision'>;
}

/**
 * An operator's credit or adjustment, once for its key in this wallet; the same values again get the first line.
 * One of more than the limit for a single operator makes an approval instead, once for its key: CONFLICT_APPROVAL_REQUIRED
 * (spec §18.3). Throws NOT_FOUND_WALLET, BUSINESS_INSUFFICIENT_BALANCE (a negative adjustment past what is available) and
 * CONFLICT_IDEMPOTENCY_KEY_REUSED before that.
 */
export async function fundWallet(
  { funding, wallets, transactions }: FundWalletDeps,
  ref: WalletRef,
  operation: FundingOperation,
  call: CallContext,
): Promise<WalletLine> {
  const wallet = await wallets.find(ref);
  if (!wallet) throw new AppError('NOT_FOUND_WALLET');
  const outcome = await funding.fund(wallet, operation, call);
  if ('approvalId' in outcome)
    throw new AppError('CONFLICT_APPROVAL_REQUIRED', { approvalId: outcome.approvalId });
  const result = resultOf(outcome);
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
