import { AppError, isAppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { WalletRef } from '../ledger/domain/wallet-operation';
import type { WalletLine } from './domain/wallet-transaction';
import { fundWallet, type FundWalletDeps } from './fund-wallet';

/**
 * A partner's credit to itself in its sandbox, once for its reference; the same amount again gets the first line (spec §15.1).
 * Throws NOT_FOUND_WALLET and CONFLICT_DUPLICATE_EXTERNAL_REFERENCE.
 */
export async function creditOwnWallet(
  deps: FundWalletDeps,
  wallet: WalletRef,
  { amount, externalReference }: { amount: string; externalReference: string },
  call: CallContext,
): Promise<WalletLine> {
  const own = { by: 'partner' as const, idempotencyKey: externalReference, notes: externalReference };
  try {
    return await fundWallet(deps, wallet, { kind: 'credit', amount, ...own }, call);
  } catch (error) {
    if (!isAppError(error) || error.code !== 'CONFLICT_IDEMPOTENCY_KEY_REUSED') throw error;
    const details = { mismatchedFields: ['amount'] };
    throw new AppError('CONFLICT_DUPLICATE_EXTERNAL_REFERENCE', details, { cause: error });
  }
}
