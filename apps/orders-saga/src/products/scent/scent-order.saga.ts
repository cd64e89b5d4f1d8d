import { recordedRefusal } from '../../saga/domain/refusal';
import type { SagaPlan } from '../../saga/saga-plan';
import type { SagaStep, StepAction } from '../../saga/saga-run';

/**
 * The saga of scent orders (spec §7.2): the shop freezes, prices and reserves the cart, finance sets the charge
 * aside and takes it, the shop makes the checkout final. Before the charge everything can be undone, and a refusal
 * leaves no order; after it nothing can be refused.
 */
export function scentOrderSaga(steps: {
  checkOut: Record<'do' | 'undo' | 'commit', StepAction>;
  reserveFunds: Required<SagaStep>;
  settleOrder: StepAction;
}): SagaPlan {
  return {
    first: 'checkout.begin',
    steps: {
      'checkout.begin': {
        act: steps.checkOut.do,
        done: { kind: 'go', step: 'funds.reserve' },
        refused: { kind: 'withdraw' },
      },
      'funds.reserve': {
        act: unlessFree(steps.reserveFunds.do),
        done: { kind: 'go', step: 'funds.settle' },
        refused: { kind: 'go', step: 'checkout.cancel' },
      },
      'checkout.cancel': {
        act: steps.checkOut.undo,
        done: { kind: 'withdraw', reason: recordedRefusal },
      },
      'funds.settle': {
        act: steps.settleOrder,
        done: { kind: 'go', step: 'checkout.commit' },
      },
      'checkout.commit': {
        act: steps.checkOut.commit,
        done: { kind: 'end', status: () => 'Processing' },
      },
    },
  };
}

// What costs nothing needs no hold; its settlement is recorded all the same.
function unlessFree(reserve: StepAction): StepAction {
  return (run) => (Number(run.order.amount) === 0 ? Promise.resolve({ kind: 'done' }) : reserve(run));
}
