import { setTimeout as sleep } from 'node:timers/promises';
import { isAppError } from '@reseller/errors';
import { doublingGap } from './domain/backoff';
import { isLastingFailure } from './domain/failure';
import type { StepOutcome } from './domain/step-outcome';
import type { SagaRun } from './saga-step';

const RETRY_BASE_MS = 200;
const RETRY_CAP_MS = 1_000;
const LATER_BASE_MS = 500;
const LATER_CAP_MS = 5_000;

/** A result that ends the waiting, whether it is the effect or a refusal. */
type CallResult<T> =
  | { readonly kind: 'done'; readonly value: T; readonly wasRetried: boolean }
  | { readonly kind: 'refused'; readonly error: Error; readonly wasRetried: boolean };

/** A step that is left for later. */
export type Suspended = Extract<StepOutcome, { kind: 'suspended' }>;

/**
 * Repeats a call to a service under its one key until it is answered: in a request as long as its time lasts, in
 * recovery once. A service that cannot be reached is not a refusal (spec §4.7), so the rest is left for later; one that
 * fails in any other way throws its last failure, which counts towards parking.
 */
export async function callWithRetries<T>(
  run: SagaRun,
  call: () => Promise<T>,
  isRefusal: (error: unknown) => boolean,
): Promise<CallResult<T> | Suspended> {
  for (let failures = 0; ; failures += 1) {
    // Whoever has taken the order over may be further by now: a release would free what they go on with.
    if (!run.lease.isHeld()) return { kind: 'suspended', afterMs: LATER_BASE_MS };
    try {
      return { kind: 'done', value: await call(), wasRetried: failures > 0 };
    } catch (error) {
      if (error instanceof Error && isRefusal(error))
        return { kind: 'refused', error, wasRetried: failures > 0 };
      if (!isAppError(error)) throw error;
      const log = { err: error, orderGlobalId: run.order.globalId, requestId: run.call.requestId };
      run.log.warn(log, 'a service that an order needs did not respond');
      const gap = doublingGap(failures, RETRY_BASE_MS, RETRY_CAP_MS);
      if (run.mode === 'request' && (await slept(gap, run.signal))) continue;
      if (isLastingFailure(error)) throw error;
      return { kind: 'suspended', afterMs: doublingGap(run.attempts, LATER_BASE_MS, LATER_CAP_MS) };
    }
  }
}

/** Sleeps and resolves to true, or to false at once when the signal aborts first. */
export async function slept(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
