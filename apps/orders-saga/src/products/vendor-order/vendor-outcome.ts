import type { VendorResponse, VendorDelivery } from '../../clients/vendors/domain/vendor';
import type { OrderChange } from '../../order/domain/order';
import { doublingGap } from '../../saga/domain/backoff';
import type { JournalEntry } from '../../saga/domain/journal';
import type { Details, StepOutcome } from '../../saga/domain/step-outcome';
import type { SagaRun } from '../../saga/saga-step';
import type { VendorTerms } from '../product';
import { goToVendor } from './choose-vendor';
import type { VendorTimes } from './vendor-times';

/** What came of calling one vendor, as often as there was time for. */
export type VendorResult =
  | VendorResponse
  /** Nobody can tell what happened: this vendor, and no other, is asked again. */
  | { readonly kind: 'silent' }
  /** It certainly did not accept the order, whatever was tried; `instead` is the next vendor that sells it. */
  | { readonly kind: 'not-accepted'; readonly instead: string | undefined };

const WAITING = 'Waiting for the vendor.';

/** What a vendor's result means for the saga. */
export function outcomeOf(
  run: SagaRun,
  vendor: string,
  result: VendorResult,
  times: VendorTimes,
  terms: Pick<VendorTerms, 'delivery'>,
): StepOutcome {
  const polls = run.order.currentRetryCount + (run.mode === 'recovery' ? 1 : 0);
  const vendorOrderId = 'vendorOrderId' in result ? result.vendorOrderId : undefined;
  const change = { vendorOrderId, currentRetryCount: polls };
  const note = (delivery: VendorDelivery = {}): Details => terms.delivery?.toNote(delivery) ?? {};
  switch (result.kind) {
    case 'success': {
      const details = { vendorOrderId: result.vendorOrderId, polls, ...note(result.delivery) };
      return { kind: 'done', details, change };
    }
    case 'refused':
      return { kind: 'refused', details: { reason: result.reason, polls }, change };
    case 'unknown': {
      const reason = 'The vendor does not know what became of the order.';
      return undecidable(reason, { polls, ...note(result.delivery) }, change);
    }
    case 'pending':
    case 'silent':
      return undecided(run, result.kind, polls, change, times);
    case 'not-accepted':
      return result.instead === undefined
        ? notAccepted(run, vendor, polls, times)
        : { ...goToVendor(result.instead, 'Failed'), details: { vendor, taken: false } };
  }
}

function undecided(
  run: SagaRun,
  said: 'pending' | 'silent',
  polls: number,
  change: OrderChange,
  times: VendorTimes,
): StepOutcome {
  const afterMs = untilNextPoll(run, polls, times);
  if (afterMs === undefined) return undecidable('The vendor has not decided in time.', { polls }, change);
  const isPending = said === 'pending';
  const note: JournalEntry = {
    step: 'vendor.response',
    attempt: polls,
    phase: 'result',
    outcome: isPending ? 'Pending' : 'Failed',
    details: { polls },
  };
  const statusDescription = isPending ? 'The vendor is working on it.' : WAITING;
  return { kind: 'suspended', afterMs, change: { ...change, statusDescription }, notes: [note] };
}

// Every vendor that sells it has passed: it waits for a new choice.
function notAccepted(run: SagaRun, vendor: string, polls: number, times: VendorTimes): StepOutcome {
  const details = { vendor, taken: false, polls };
  const change = { currentRetryCount: polls };
  const afterMs = untilNextPoll(run, polls, times);
  if (afterMs === undefined) return undecidable('No vendor has taken the order in time.', details, change);
  return {
    kind: 'replaced',
    result: 'Failed',
    details,
    step: 'vendor.choose',
    change: { ...change, statusDescription: WAITING },
    afterMs,
  };
}

/** Milliseconds until the next poll; undefined when an operator is to decide (spec §4.6). */
function untilNextPoll(
  { order, mode, msSince }: SagaRun,
  polls: number,
  times: VendorTimes,
): number | undefined {
  const leftMs = times.unknownAfterMs - (order.vendorSubmittedAt ? msSince(order.vendorSubmittedAt) : 0);
  if (leftMs <= 0 && mode === 'recovery') return undefined;
  return Math.min(doublingGap(polls, times.pollBaseMs, times.pollCapMs), Math.max(leftMs, 0));
}

function undecidable(reason: string, details: Details, change: OrderChange): StepOutcome {
  return {
    kind: 'undecidable',
    result: 'Unknown',
    details: { reason, ...details },
    change: { ...change, statusDescription: reason },
  };
}
