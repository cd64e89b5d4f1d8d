import { AppError } from '@reseller/errors';
import { toJsonNumber } from '@reseller/money';
import { isShopRefusal, type Checkouts } from '../../../clients/scent-commerce/checkouts';
import { callWithRetries } from '../../../saga/call-with-retries';
import { openDecision } from '../../../saga/domain/journal';
import { refusalDetails } from '../../../saga/domain/refusal';
import type { StepOutcome } from '../../../saga/domain/step-outcome';
import type { SagaRun } from '../../../saga/saga-step';
import { isContradiction } from '../../steps/release-funds';
import { canBeKept, LARGEST_ORDER_AMOUNT } from '../domain/checkout';

/** What checking a cart out works with. */
interface CheckOutDeps {
  readonly checkouts: Checkouts;
}

/** Has the scent shop freeze, price and reserve the cart; what it settles is written with the step. */
export async function beginCheckout({ checkouts }: CheckOutDeps, run: SagaRun): Promise<StepOutcome> {
  const result = await callWithRetries(run, () => checkouts.begin(run.order, run.call), isShopRefusal);
  if (result.kind === 'suspended') return result;
  const isDone = result.kind === 'done';
  if (isDone && canBeKept(result.value.checkout)) {
    const { checkout, displayRate } = result.value;
    const change = { amount: checkout.totalAmountWithVat, displayRate, details: { checkout } };
    return { kind: 'done', change };
  }
  if (isDone || run.isResumed || result.wasRetried) {
    // An earlier try may still be on its way: cancelling first makes the shop refuse it when it arrives.
    const cancelled = await callWithRetries(
      run,
      () => checkouts.cancel(run.order, run.call),
      () => false,
    );
    if (cancelled.kind === 'suspended') return cancelled;
  }
  const error = isDone ? orderTooLarge() : refusalOf(result.error);
  return { kind: 'refused', error, details: refusalDetails(error) };
}

const orderTooLarge = () =>
  new AppError('BUSINESS_ORDER_AMOUNT_LIMIT', { limit: toJsonNumber(LARGEST_ORDER_AMOUNT) });

// The key was cancelled before: by the lines above, in a run that ended before the order was withdrawn.
const refusalOf = (error: Error) => (isContradiction(error) ? new AppError('SERVICE_UNAVAILABLE') : error);

/** Gives back all that beginCheckout took; safe when it never did. */
export async function cancelCheckout({ checkouts }: CheckOutDeps, run: SagaRun): Promise<StepOutcome> {
  const result = await callWithRetries(run, () => checkouts.cancel(run.order, run.call), isContradiction);
  if (result.kind !== 'refused') return result;
  const details = { reason: 'The checkout was committed.' };
  // While an operator undoes the order that is an answer: what was taken is put back instead.
  return openDecision(run.journal) ? { kind: 'refused', details } : { kind: 'undecidable', details };
}

/** Makes the checkout of a paid order final. */
export async function commitCheckout({ checkouts }: CheckOutDeps, run: SagaRun): Promise<StepOutcome> {
  const result = await callWithRetries(run, () => checkouts.commit(run.order, run.call), isContradiction);
  if (result.kind !== 'refused') return result;
  const reason = 'The order is paid, but its checkout was cancelled.';
  return { kind: 'undecidable', details: { reason } };
}
