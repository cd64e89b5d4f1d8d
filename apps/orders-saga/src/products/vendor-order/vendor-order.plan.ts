import type { Order, OrderChange } from '../../order/domain/order';
import { lastDetails, openDecision, type JournalEntry } from '../../saga/domain/journal';
import type { SagaPlan } from '../../saga/saga-plan';
import type { Details } from '../../saga/domain/step-outcome';
import type { ProductDeps, VendorTerms } from '../product';
import { SETTLEMENT, VENDOR } from '../lanes';
import { captureFunds, refundFunds } from '../steps/capture-funds';
import { releaseFunds } from '../steps/release-funds';
import { reserveFunds } from '../steps/reserve-funds';
import { chooseVendor } from './choose-vendor';
import { submitToVendor } from './submit-to-vendor';

/** What happens when an order ends unpaid, in words for its partner. */
const OPERATOR_FAILED = 'The order was ended as failed after a manual check; nothing was charged.';
const FAILED_BY_OPERATOR: OrderChange = {
  failureCode: 'OPERATOR_DECISION',
  errorMessage: OPERATOR_FAILED,
  statusDescription: null,
};

/**
 * The saga of an order that a vendor delivers (spec §4.6): reserve, have the vendor deliver, capture; or release when the
 * vendor refused. An operator's decisions enter at the same steps.
 */
export function vendorOrderPlan(terms: VendorTerms): SagaPlan<ProductDeps> {
  return {
    first: 'funds.reserve',
    steps: {
      'funds.reserve': {
        act: (deps, run) => reserveFunds(deps, run, terms.recipientOf),
        lane: VENDOR,
        done: { kind: 'go', step: 'vendor.submit', status: 'Processing', details: noteVendor },
        refused: { kind: 'withdraw' },
      },
      'vendor.submit': {
        act: (deps, run) => submitToVendor(deps, run, terms),
        lane: VENDOR,
        done: { kind: 'go', step: 'funds.capture' },
        refused: { kind: 'go', step: 'funds.release' },
      },
      // Where an order waits while every vendor that sells it is certain not to have accepted it.
      'vendor.choose': {
        act: chooseVendor,
        lane: VENDOR,
        done: { kind: 'go', step: 'vendor.submit', details: noteVendor },
      },
      'funds.capture': {
        act: captureFunds,
        lane: SETTLEMENT,
        // Kept in the journal until here, so that the charge and what it bought appear in one statement (spec §4.8).
        done: {
          kind: 'finish',
          status: () => 'Completed',
          change: (_order, journal) => ({
            statusDescription: null,
            details: terms.delivery?.toDetails(journal),
          }),
        },
      },
      'funds.release': {
        act: releaseFunds,
        lane: SETTLEMENT,
        done: { kind: 'finish', status: statusAfterRelease, change: whyFailed },
      },
      'funds.refund': {
        act: refundFunds,
        lane: SETTLEMENT,
        done: { kind: 'finish', status: () => 'Reversed', change: () => ({ statusDescription: null }) },
      },
    },
  };
}

const noteVendor = ({ vendorName }: Order): Details => ({ vendor: vendorName });

function statusAfterRelease(order: Order): 'Cancelled' | 'Failed' {
  return order.status === 'Cancelled' ? 'Cancelled' : 'Failed';
}

function whyFailed(order: Order, journal: readonly JournalEntry[]): OrderChange {
  if (order.status === 'Cancelled') return { statusDescription: null };
  if (openDecision(journal)) return FAILED_BY_OPERATOR;
  const { reason } = lastDetails(journal, 'vendor.submit');
  return {
    failureCode: 'VENDOR_REFUSED',
    errorMessage: typeof reason === 'string' ? reason : 'The vendor refused the order.',
    statusDescription: null,
  };
}
