import { isAppError } from '@reseller/errors';
import type { Funds } from '../../clients/finance/funds';
import { callWithRetries } from '../../saga/call-with-retries';
import type { StepOutcome } from '../../saga/domain/step-outcome';
import type { SagaRun } from '../../saga/saga-step';

/** What moving an order's money works with. */
export interface FundsDeps {
  readonly funds: Funds;
}

/** Frees what reserveFunds set aside; safe when it never did. */
export async function releaseFunds({ funds }: FundsDeps, run: SagaRun): Promise<StepOutcome> {
  const result = await callWithRetries(run, () => funds.release(run.order, run.call), isContradiction);
  if (result.kind !== 'refused') return result;
  return { kind: 'undecidable', details: { reason: 'The reservation was captured.' } };
}

/** Finance or the shop says that a key ended otherwise than this order has it on record. */
export function isContradiction(error: unknown): boolean {
  return isAppError(error) && error.code === 'CONFLICT_ORDER_STATE';
}
