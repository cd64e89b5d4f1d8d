import { recordedActivation } from './esim/domain/activation';
import type { Order, OrderChange } from '../order/domain/order';
import { lastDetails, openDecision, type JournalEntry } from '../saga/domain/journal';
import type { SagaPlan } from '../saga/saga-plan';
import type { Details, SagaStep } from '../saga/saga-run';

/** What happens when an order ends unpaid, in words for its partner. */
const OPERATOR_FAILED = 'The order was ended as failed after a manual check; nothing was charged.';

/**
 * The saga of top-up and eSIM orders (spec §4.6): reserve, ask the vendor, capture; or release when the vendor
 * refused. An operator's decisions enter at the same steps.
 */
export function vendorOrderSaga(steps: {
  reserveFunds: Required<SagaStep>;
  askVendor: SagaStep;
  chooseVendor: SagaStep;
  captureFunds: Required<SagaStep>;
}): SagaPlan {
  return {
    first: 'funds.reserve',
    steps: {
      'funds.reserve': {
        act: steps.reserveFunds.do,
        done: { kind: 'go', step: 'vendor.submit', status: 'Processing', details: vendorAsked },
        refused: { kind: 'withdraw' },
      },
      'vendor.submit': {
        act: steps.askVendor.do,
        done: { kind: 'go', step: 'funds.capture' },
        refused: { kind: 'go', step: 'funds.release' },
      },
      // Where an order waits while every vendor that sells it is certain to have taken nothing.
      'vendor.choose': {
        act: steps.chooseVendor.do,
        done: { kind: 'go', step: 'vendor.submit', details: vendorAsked },
      },
      'funds.capture': {
        act: steps.captureFunds.do,
        done: { kind: 'end', status: () => 'Completed', change: whatWasDelivered },
      },
      'funds.release': {
        act: steps.reserveFunds.undo,
        done: { kind: 'end', status: statusAfterRelease, change: whyFailed },
      },
      'funds.refund': {
        act: steps.captureFunds.undo,
        done: { kind: 'end', status: () => 'Reversed' },
      },
    },
  };
}

const vendorAsked = ({ vendorName }: Order): Details => ({ vendor: vendorName });

function statusAfterRelease(order: Order): 'Cancelled' | 'Failed' {
  return order.status === 'Cancelled' ? 'Cancelled' : 'Failed';
}

// Kept in the journal until here, so that the charge and what it bought appear in one statement (spec §4.8).
function whatWasDelivered(_order: Order, journal: readonly JournalEntry[]): OrderChange {
  return { statusDescription: null, activation: recordedActivation(journal) };
}

function whyFailed(order: Order, journal: readonly JournalEntry[]): OrderChange {
  if (order.status === 'Cancelled') return {};
  if (openDecision(journal)) {
    return { failureCode: 'OPERATOR_DECISION', errorMessage: OPERATOR_FAILED, statusDescription: null };
  }
  const { reason } = lastDetails(journal, 'vendor.submit');
  return {
    failureCode: 'VENDOR_REFUSED',
    errorMessage: typeof reason === 'string' ? reason : 'The vendor refused the order.',
    statusDescription: null,
  };
}
