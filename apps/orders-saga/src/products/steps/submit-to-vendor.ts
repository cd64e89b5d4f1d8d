import type { Order } from '../../order/domain/order';
import {
  VendorTookNothingError,
  VendorUnreachableError,
  type Vendor,
  type VendorAnswer,
  type VendorOrder,
} from '../../clients/vendors/domain/vendor';
import type { VendorDirectory } from '../../clients/vendors/vendor-directory';
import { doublingGap, jittered } from '../../saga/domain/backoff';
import { vendorsPassed, type JournalEntry } from '../../saga/domain/journal';
import { activationDetails } from '../esim/domain/activation';
import type { Details, SagaRun, SagaStep, StepOutcome } from '../../saga/saga-run';
import { slept } from '../../saga/until-answered';

/** The clock of spec §4.6, all in milliseconds. */
export interface VendorTimes {
  /** The waits before asking again within the request, after a 5xx or a lost connection. */
  readonly retryDelaysMs: readonly number[];
  readonly pollBaseMs: number;
  readonly pollCapMs: number;
  /** How long an outcome may stay unknown before an operator decides. */
  readonly unknownAfterMs: number;
}

/** What came of asking one vendor, as often as there was time for. */
type Asked =
  | VendorAnswer
  /** Nobody can tell what happened: this vendor, and no other, is asked again. */
  | { readonly kind: 'silent' }
  /** It certainly took nothing, whatever was tried; `instead` is the next vendor that sells the order. */
  | { readonly kind: 'took-nothing'; readonly instead: Vendor | undefined };

/**
 * Has the vendor deliver, under the order's global id for ever. It has no undo: a delivery cannot be taken back, so
 * what comes before it waits for its outcome, and only a vendor's refusal counts as one (spec §4.7). Another vendor
 * gets the order only while it is certain that this one took nothing, by an intent of its own.
 */
export function askVendor(vendors: VendorDirectory, times: VendorTimes): SagaStep {
  return {
    async do(run) {
      const vendor = vendors.vendorOf(run.order);
      const asked = await askUntilAnswered(vendors, vendor, run, times);
      const polls = run.order.currentRetryCount + (run.mode === 'recovery' ? 1 : 0);
      return toOutcome(run, vendor, asked, polls, times);
    },
  };
}

/**
 * Chooses the vendor of an order that none has: the first that sells it, though all took nothing when last asked.
 * Asks nobody, so it is safe to repeat.
 */
export function chooseVendor(vendors: VendorDirectory): SagaStep {
  return {
    do: async ({ order }) => goTo(vendors.chooseFor(order)?.name ?? order.vendorName ?? 'none', 'Done'),
  };
}

async function askUntilAnswered(
  vendors: VendorDirectory,
  vendor: Vendor,
  run: SagaRun,
  times: VendorTimes,
): Promise<Asked> {
  const delays = run.mode === 'request' ? times.retryDelaysMs : [];
  const passed = [...vendorsPassed(run.journal), vendor.name];
  // Once in doubt, always: a request that nobody heard of may still arrive, even after the vendor denied it.
  let isInDoubt = run.isResumed;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await (isInDoubt ? inquireOrSubmit(vendor, run) : submit(vendor, run));
    } catch (error) {
      if (!(error instanceof VendorUnreachableError) && !run.signal.aborted) throw error;
      isInDoubt ||= !(error instanceof VendorTookNothingError);
      const about = { vendor: vendor.name, orderGlobalId: run.order.globalId, isInDoubt };
      run.log.warn({ ...about, reason: reasonOf(error) }, 'the vendor gave no answer');
    }
    const instead = isInDoubt || run.signal.aborted ? undefined : vendors.chooseFor(run.order, passed);
    if (instead) return { kind: 'took-nothing', instead };
    const delay = delays[attempt];
    if (delay !== undefined && (await slept(jittered(delay), run.signal))) continue;
    return isInDoubt ? { kind: 'silent' } : { kind: 'took-nothing', instead };
  }
}

// One line for people: a vendor that is away fails every order in the same places.
function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!reasons.includes(cause.message)) reasons.push(cause.message);
  }
  return reasons.join(': ');
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
    geoScopeGlobalId: order.geoScopeGlobalId ?? '',
    phoneNumber: order.phoneNumber ?? undefined,
    email: order.esim?.email,
    productSku: order.esim?.productSku,
    amount: order.amount,
    currency: order.currency,
  };
}

function toOutcome(
  run: SagaRun,
  vendor: Vendor,
  asked: Asked,
  polls: number,
  times: VendorTimes,
): StepOutcome {
  const change = {
    vendorOrderId: 'vendorOrderId' in asked ? asked.vendorOrderId : undefined,
    currentRetryCount: polls,
  };
  switch (asked.kind) {
    case 'success':
      return {
        kind: 'done',
        details: { vendorOrderId: asked.vendorOrderId, polls, ...activationDetails(asked) },
        change,
      };
    case 'refused':
      return { kind: 'refused', details: { reason: asked.reason, polls }, change };
    case 'unknown':
      return undecidable(
        { polls, ...activationDetails(asked) },
        change,
        'The vendor does not know what became of the order.',
      );
    case 'pending':
    case 'silent':
      return undecided(run, asked.kind, polls, change, times);
    case 'took-nothing':
      return passedBy(run, vendor, asked.instead, polls, times);
  }
}

function undecided(
  run: SagaRun,
  said: 'pending' | 'silent',
  polls: number,
  change: { vendorOrderId: string | undefined; currentRetryCount: number },
  times: VendorTimes,
): StepOutcome {
  const afterMs = untilNextPoll(run, polls, times);
  if (afterMs === undefined) return undecidable({ polls }, change, 'The vendor has not decided in time.');
  const isPending = said === 'pending';
  const note: JournalEntry = {
    step: 'vendor.answer',
    attempt: polls,
    phase: 'result',
    outcome: isPending ? 'Pending' : 'Failed',
    details: { polls },
  };
  return {
    kind: 'later',
    afterMs,
    change: { ...change, statusDescription: isPending ? 'The vendor is working on it.' : WAITING },
    notes: [note],
  };
}

const WAITING = 'Waiting for the vendor.';

/** The vendor took nothing: on to the next one at once, or, when there is none, to a new choice later. */
function passedBy(
  run: SagaRun,
  vendor: Vendor,
  instead: Vendor | undefined,
  polls: number,
  times: VendorTimes,
): StepOutcome {
  const details = { vendor: vendor.name, taken: false };
  if (instead) return { ...goTo(instead.name, 'Failed'), details };
  const afterMs = untilNextPoll(run, polls, times);
  const change = { currentRetryCount: polls };
  if (afterMs === undefined) {
    const reason = 'No vendor has taken the order in time.';
    return undecidable({ ...details, polls }, { ...change, vendorOrderId: undefined }, reason);
  }
  return {
    kind: 'next',
    result: 'Failed',
    details: { ...details, polls },
    step: 'vendor.choose',
    change: { ...change, statusDescription: WAITING },
    afterMs,
  };
}

function goTo(vendor: string, result: 'Done' | 'Failed'): Extract<StepOutcome, { kind: 'next' }> {
  const change = { vendorName: vendor };
  return { kind: 'next', result, step: 'vendor.submit', intentDetails: { vendor }, change };
}

/** Milliseconds until the next poll; undefined when an operator is to decide (spec §4.6). */
function untilNextPoll(run: SagaRun, polls: number, times: VendorTimes): number | undefined {
  const leftMs = times.unknownAfterMs - run.vendorAskedMsAgo();
  if (leftMs <= 0 && run.mode === 'recovery') return undefined;
  return Math.min(doublingGap(polls, times.pollBaseMs, times.pollCapMs), Math.max(leftMs, 0));
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
