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

/** What was done; throws the catalogue's error for a refusal. */
export function done<Result extends object>(outcome: Result | Refusal): Result {
  if (typeof outcome !== 'string') return outcome;
  throw new AppError(CODES[outcome]);
}
