import type { Order } from '../../order/domain/order';
import {
  VendorUnreachableError,
  type Vendor,
  type VendorAnswer,
  type VendorOrder,
} from '../../vendor/domain/vendor';
import { doublingGap } from '../domain/backoff';
import type { JournalEntry } from '../domain/journal';
import { activationDetails } from '../../esim/domain/activation';
import type { Details, SagaRun, SagaStep, StepOutcome } from '../saga-run';
import { slept } from './until-finance-answers';

/** The clock of decisions §4.6, all in milliseconds. */
export interface VendorTimes {
  /** The waits before asking again within the request, after a 5xx or a lost connection. */
  readonly retryDelaysMs: readonly number[];
  readonly pollBaseMs: number;
  readonly pollCapMs: number;
  /** How long an outcome may stay unknown before an operator decides. */
  readonly unknownAfterMs: number;
}

/**
 * Has the vendor deliver, under the order's global id for ever. It has no undo: a delivery cannot be taken back, so
 * what comes before it waits for its outcome, and only a vendor's refusal counts as one (decisions §4.7).
 */
export function askVendor(vendorNamed: (order: Order) => Vendor, times: VendorTimes): SagaStep {
  return {
    async do(run) {
      const answer = await askUntilAnswered(vendorNamed(run.order), run, times);
      const polls = run.order.currentRetryCount + (run.mode === 'recovery' ? 1 : 0);
      return toOutcome(run, answer, polls, times);
    },
  };
}

async function askUntilAnswered(
  vendor: Vendor,
  run: SagaRun,
  times: VendorTimes,
): Promise<VendorAnswer | undefined> {
  const delays = run.mode === 'request' ? times.retryDelaysMs : [];
  let mayHaveIt = run.isResumed;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await (mayHaveIt ? inquireOrSubmit(vendor, run) : submit(vendor, run));
    } catch (error) {
      if (!(error instanceof VendorUnreachableError) && !run.signal.aborted) throw error;
      const log = { err: error, vendor: vendor.name, orderGlobalId: run.order.globalId };
      run.log.warn(log, 'the vendor did not answer');
    }
    mayHaveIt = true;
    const delay = delays[attempt];
    if (delay === undefined || !(await slept(delay, run.signal))) return undefined;
  }
}

// Nobody submits again blindly: the vendor says first that it never took the key.
async function inquireOrSubmit(vendor: Vendor, run: SagaRun): Promise<VendorAnswer> {
  const known = await vendor.inquire(run.order.globalId, { signal: run.signal });
  return known.kind === 'not-found' ? submit(vendor, run) : known;
}

function submit(vendor: Vendor, run: SagaRun): Promise<VendorAnswer> {
  if (!run.lease.isHeld()) throw new VendorUnreachableError('the lease ran out before the vendor was asked');
  const options = { idempotencyKey: run.order.globalId, signal: run.signal };
  return vendor.submit(toVendorOrder(run.order), options);
}

function toVendorOrder(order: Order): VendorOrder {
  return {
    product: order.product === 'Esim' ? 'Esim' : 'Topup',
    orderGlobalId: order.globalId,
    geoScopeGlobalId: order.geoScopeGlobalId,
    phoneNumber: order.phoneNumber ?? undefined,
    email: order.esim?.email,
    productSku: order.esim?.productSku,
    amount: order.amount,
    currency: order.currency,
  };
}

function toOutcome(
  run: SagaRun,
  answer: VendorAnswer | undefined,
  polls: number,
  times: VendorTimes,
): StepOutcome {
  const change = { vendorOrderId: answer?.vendorOrderId, currentRetryCount: polls };
  switch (answer?.kind) {
    case 'success':
      return {
        kind: 'done',
        details: { vendorOrderId: answer.vendorOrderId, polls, ...activationDetails(answer) },
        change,
      };
    case 'refused':
      return { kind: 'refused', details: { reason: answer.reason, polls }, change };
    case 'unknown':
      return undecidable(
        { polls, ...activationDetails(answer) },
        change,
        'The vendor does not know what became of the order.',
      );
    case 'pending':
    case undefined:
      return undecided(run, answer, polls, change, times);
  }
}

function undecided(
  run: SagaRun,
  answer: VendorAnswer | undefined,
  polls: number,
  change: { vendorOrderId: string | undefined; currentRetryCount: number },
  times: VendorTimes,
): StepOutcome {
  const leftMs = times.unknownAfterMs - run.vendorAskedMsAgo();
  if (leftMs <= 0 && run.mode === 'recovery') {
    return undecidable({ polls }, change, 'The vendor has not decided in time.');
  }
  const note: JournalEntry = {
    step: 'vendor.answer',
    attempt: polls,
    phase: 'result',
    outcome: answer ? 'Pending' : 'Failed',
    details: { polls },
  };
  return {
    kind: 'later',
    afterMs: Math.min(doublingGap(polls, times.pollBaseMs, times.pollCapMs), Math.max(leftMs, 0)),
    change: {
      ...change,
      statusDescription: answer ? 'The vendor is working on it.' : 'Waiting for the vendor.',
    },
    notes: [note],
  };
}

function undecidable(
  details: Details,
  change: { vendorOrderId: string | undefined; currentRetryCount: number },
  reason: string,
): StepOutcome {
  return {
    kind: 'undecidable',
    details: { reason, ...details },
    change: { ...change, statusDescription: reason },
  };
}
