import { callWithRetries } from '../../saga/call-with-retries';
import { decidedBy } from '../../saga/domain/journal';
import type { StepOutcome } from '../../saga/domain/step-outcome';
import type { SagaRun } from '../../saga/saga-step';
import { isContradiction, type FundsDeps } from './release-funds';

/** Takes the reserved amount. */
export async function captureFunds({ funds }: FundsDeps, run: SagaRun): Promise<StepOutcome> {
  const capture = () => funds.capture(run.order, run.call, decidedBy(run.journal));
  const result = await callWithRetries(run, capture, isContradiction);
  if (result.kind !== 'refused') return result;
  return {
    kind: 'undecidable',
    details: { reason: 'The vendor delivered, but the reservation had ended.' },
    change: { statusDescription: 'Delivered by the vendor; its charge needs a manual check.' },
  };
}

/** Gives all of what captureFunds took back. */
export async function refundFunds({ funds }: FundsDeps, run: SagaRun): Promise<StepOutcome> {
  const refund = () => funds.refund(run.order, run.call, decidedBy(run.journal));
  const result = await callWithRetries(run, refund, isContradiction);
  if (result.kind !== 'refused') return result;
  return { kind: 'undecidable', details: { reason: 'There was nothing left to refund.' } };
}
