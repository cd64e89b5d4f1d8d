import type { NextMove } from '../../saga/domain/next-move';
import { recordedRefusal } from '../../saga/domain/refusal';
import type { SagaPlan } from '../../saga/saga-plan';
import type { StepOutcome } from '../../saga/domain/step-outcome';
import type { SagaRun } from '../../saga/saga-step';
import { CHECKOUT, CHECKOUT_FUNDS } from '../lanes';
import type { ProductDeps } from '../product';
import { reserveFunds } from '../steps/reserve-funds';
import { beginCheckout, cancelCheckout, commitCheckout } from './steps/check-out';
import { settleOrder } from './steps/settle-order';
import { cancelGroups, refundOrder, releaseHold, restockOrder } from './steps/undo-order';
import { undoneStatus } from './domain/undone-status';

const UNDONE: Extract<NextMove, { kind: 'finish' }> = {
  kind: 'finish',
  status: (_order, journal) => undoneStatus(journal),
  change: (_order, journal) =>
    undoneStatus(journal) === 'Failed' ? { failureCode: 'OPERATOR_DECISION' } : {},
};

/**
 * The saga of scent orders (spec §7.2): the shop freezes, prices and reserves the cart, finance sets the charge
 * aside and takes it, the shop makes the checkout final. Before the charge everything can be undone, and a refusal
 * leaves no order; after it nothing can be refused.
 */
export const SCENT_PLAN: SagaPlan<ProductDeps> = {
  first: 'checkout.begin',
  steps: {
    'checkout.begin': {
      act: beginCheckout,
      lane: CHECKOUT,
      done: { kind: 'go', step: 'funds.reserve' },
      refused: { kind: 'withdraw', onceSeen: UNDONE },
    },
    'funds.reserve': {
      act: reserveUnlessFree,
      lane: CHECKOUT_FUNDS,
      done: { kind: 'go', step: 'funds.settle' },
      refused: { kind: 'go', step: 'checkout.cancel' },
    },
    'checkout.cancel': {
      act: cancelCheckout,
      lane: CHECKOUT,
      done: {
        kind: 'withdraw',
        reason: recordedRefusal,
        onceSeen: { kind: 'go', step: 'groups.cancel' },
      },
      refused: { kind: 'go', step: 'checkout.restock' },
    },
    'funds.settle': {
      act: settleOrder,
      lane: CHECKOUT_FUNDS,
      done: { kind: 'go', step: 'checkout.commit' },
    },
    'checkout.commit': {
      act: commitCheckout,
      lane: CHECKOUT,
      done: { kind: 'finish', status: () => 'Processing' },
    },
    // What follows undoes an order by an operator's decision, from where it stood (spec §7.3).
    'funds.release': {
      act: releaseHold,
      lane: CHECKOUT_FUNDS,
      done: { kind: 'go', step: 'checkout.cancel' },
      refused: { kind: 'go', step: 'funds.refund' },
    },
    'funds.refund': {
      act: refundOrder,
      lane: CHECKOUT_FUNDS,
      done: { kind: 'go', step: 'checkout.cancel' },
    },
    'checkout.restock': {
      act: restockOrder,
      lane: CHECKOUT,
      done: { kind: 'go', step: 'groups.cancel' },
    },
    'groups.cancel': {
      act: cancelGroups,
      lane: CHECKOUT,
      done: UNDONE,
    },
  },
};

// What costs nothing needs no hold; its settlement is recorded all the same.
async function reserveUnlessFree(deps: ProductDeps, run: SagaRun): Promise<StepOutcome> {
  return Number(run.order.amount) === 0 ? { kind: 'done' } : reserveFunds(deps, run);
}
