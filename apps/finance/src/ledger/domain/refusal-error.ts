import { AppError, type ErrorCode } from '@reseller/errors';
import { toJsonNumber } from '@reseller/money';
import type { OperationOutcome, OperationResult, Refusal } from './wallet-operation';

const CODES: Record<Refusal, ErrorCode> = {
  no_wallet: 'NOT_FOUND_WALLET',
  insufficient: 'BUSINESS_INSUFFICIENT_BALANCE',
  order_limit: 'BUSINESS_ORDER_AMOUNT_LIMIT',
  spending_limit: 'BUSINESS_SPENDING_LIMIT',
  recipient_limit: 'BUSINESS_RECIPIENT_LIMIT',
  state: 'CONFLICT_ORDER_STATE',
  reused: 'CONFLICT_IDEMPOTENCY_KEY_REUSED',
};

/** The result of an operation that was done; throws the catalogue's error for one that was refused. */
export function resultOf(outcome: OperationOutcome): OperationResult {
  if (outcome.done) return outcome.result;
  const { refusal, limit } = outcome;
  throw new AppError(CODES[refusal], limit === undefined ? {} : { limit: toJsonNumber(limit) });
}
