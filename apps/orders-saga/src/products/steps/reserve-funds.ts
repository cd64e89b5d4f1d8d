import { AppError } from '@reseller/errors';
import { isFundsRefusal } from '../../clients/finance/funds';
import { callWithRetries } from '../../saga/call-with-retries';
import { refusalDetails } from '../../saga/domain/refusal';
import type { StepOutcome } from '../../saga/domain/step-outcome';
import { DisplayRateChanged, isSameRate } from '../../order/domain/display-rate-changed';
import type { DisplayRate, Order } from '../../order/domain/order';
import type { RecipientHashes } from '../../recipient/recipient-hashes';
import type { SagaRun } from '../../saga/saga-step';
import { isContradiction, type FundsDeps } from './release-funds';

/** What setting an order's amount aside works with. */
interface ReserveFundsDeps extends FundsDeps {
  readonly recipients: RecipientHashes;
}

/** Sets the order's amount aside; of a product whose recipient's orders of a day may be limited, with whom it is for. */
export async function reserveFunds(
  { funds, recipients }: ReserveFundsDeps,
  run: SagaRun,
  recipientOf?: (order: Order) => string,
): Promise<StepOutcome> {
  const hash = recipientOf && (await recipients.hash(run.order, recipientOf(run.order)));
  const result = await callWithRetries(run, () => funds.reserve(run.order, run.call, hash), isRefusedForGood);
  if (result.kind === 'suspended') return result;
  const isDone = result.kind === 'done';
  if (isDone && !isRateOutdated(run, result.value)) return { kind: 'done' };
  if (isDone || run.isResumed || result.wasRetried) {
    // An earlier try may still be on its way: releasing first makes finance refuse it when it arrives.
    const released = await callWithRetries(
      run,
      () => funds.release(run.order, run.call),
      () => false,
    );
    if (released.kind === 'suspended') return released;
  }
  if (isDone) return { kind: 'refused', error: new DisplayRateChanged() };
  const error = isFundsRefusal(result.error)
    ? result.error
    : new AppError('SERVICE_UNAVAILABLE', {}, { cause: result.error });
  return { kind: 'refused', error, details: refusalDetails(error) };
}

// Of an order that was begun with a remembered rate; one that its checkout priced first has the rate of that.
function isRateOutdated({ order, journal, mode }: SagaRun, rate: DisplayRate | null | undefined): boolean {
  return (
    mode === 'request' && journal.length === 1 && rate !== undefined && !isSameRate(order.displayRate, rate)
  );
}

// The key was released before: by the lines above, in a run that ended before the order was withdrawn.
function isRefusedForGood(error: unknown): boolean {
  return isFundsRefusal(error) || isContradiction(error);
}
