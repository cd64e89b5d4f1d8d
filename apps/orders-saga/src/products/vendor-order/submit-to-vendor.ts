import {
  VendorNotAcceptedError,
  VendorUnreachableError,
  type Vendor,
  type VendorResponse,
} from '../../clients/vendors/domain/vendor';
import type { VendorDirectory } from '../../clients/vendors/vendor-directory';
import { slept } from '../../saga/call-with-retries';
import { jittered } from '../../saga/domain/backoff';
import type { StepOutcome } from '../../saga/domain/step-outcome';
import type { SagaRun } from '../../saga/saga-step';
import type { VendorTerms } from '../product';
import { vendorsPassed } from './choose-vendor';
import { outcomeOf, type VendorResult } from './vendor-outcome';
import type { VendorTimes } from './vendor-times';

/** What submitting an order works with. */
interface SubmitToVendorDeps {
  readonly vendors: VendorDirectory;
  readonly vendorTimes: VendorTimes;
}

/**
 * Has the vendor deliver, under the order's global id for ever. It cannot be undone: a delivery cannot be taken back, so
 * what comes before it waits for its outcome, and only a vendor's refusal counts as one (spec §4.7). Another vendor
 * gets the order only while it is certain that this one did not accept it, by an intent of its own.
 */
export async function submitToVendor(
  deps: SubmitToVendorDeps,
  run: SagaRun,
  terms: VendorTerms,
): Promise<StepOutcome> {
  const vendor = deps.vendors.vendorOf(run.order);
  const result = await submitWithRetries(deps, vendor, run, terms);
  return outcomeOf(run, vendor.name, result, deps.vendorTimes, terms);
}

async function submitWithRetries(
  { vendors, vendorTimes }: SubmitToVendorDeps,
  vendor: Vendor,
  run: SagaRun,
  terms: VendorTerms,
): Promise<VendorResult> {
  const delays = run.mode === 'request' ? vendorTimes.retryDelaysMs : [];
  const passed = [...vendorsPassed(run.journal), vendor.name];
  // Once in doubt, always: a request that nobody heard of may still arrive, even after the vendor denied it.
  let isInDoubt = run.isResumed;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await (isInDoubt ? inquireOrSubmit(vendor, run, terms) : submit(vendor, run, terms));
    } catch (error) {
      if (!(error instanceof VendorUnreachableError) && !run.signal.aborted) throw error;
      isInDoubt ||= !(error instanceof VendorNotAcceptedError);
      const about = { vendor: vendor.name, orderGlobalId: run.order.globalId, isInDoubt };
      run.log.warn({ ...about, reason: reasonOf(error) }, 'the vendor gave no response');
    }
    const instead = isInDoubt || run.signal.aborted ? undefined : vendors.chooseFor(run.order, passed);
    if (instead) return { kind: 'not-accepted', instead: instead.name };
    const delay = delays[attempt];
    if (delay !== undefined && (await slept(jittered(delay), run.signal))) continue;
    return isInDoubt ? { kind: 'silent' } : { kind: 'not-accepted', instead: undefined };
  }
}

// Nobody submits again blindly: the vendor says first that it never accepted the key.
async function inquireOrSubmit(vendor: Vendor, run: SagaRun, terms: VendorTerms): Promise<VendorResponse> {
  const known = await vendor.inquire(run.order.globalId, { signal: run.signal });
  return known.kind === 'not-found' ? submit(vendor, run, terms) : known;
}

function submit(
  vendor: Vendor,
  { order, lease, signal }: SagaRun,
  terms: VendorTerms,
): Promise<VendorResponse> {
  if (!lease.isHeld()) throw new VendorUnreachableError('the lease ran out before the vendor was called');
  const { product, globalId, geoScopeGlobalId, amount, currency } = order;
  const place = { orderGlobalId: globalId, geoScopeGlobalId: geoScopeGlobalId ?? '' };
  const request = { product, ...place, item: terms.toItem(order), amount, currency };
  return vendor.submit(request, { idempotencyKey: globalId, signal, isHeld: lease.isHeld });
}

// One line for people: a vendor that is away fails every order in the same places.
function reasonOf(error: unknown): string {
  const reasons: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (!reasons.includes(cause.message)) reasons.push(cause.message);
  }
  return reasons.join(': ');
}
