import { AppError, type ErrorCode } from '@reseller/errors';
import type { OperationOutcome, OperationResult, Refusal } from './wallet-operation';

const CODES: Record<Refusal, ErrorCode> = {
  no_wallet: 'NOT_FOUND_WALLET',
  insufficient: 'BUSINESS_INSUFFICIENT_BALANCE',
  state: 'CONFLICT_ORDER_STATE',
  reused: 'CONFLICT_IDEMPOTENCY_KEY_REUSED',
};

/** The result of an operation that was done; throws the catalogue's error for one that was refused. */
export function resultOf(outcome: OperationOutcome): OperationResult {
  if (outcome.done) return outcome.result;
  throw new AppError(CODES[outcome.refusal]);
}
