import type { OrderStatus } from '../../order/domain/order';
import type { StepName } from '../../saga/domain/journal';

/** What an operator can decide of an order. */
export type DecisionKind = 'resolve-completed' | 'resolve-failed' | 'cancel' | 'reverse';

/** A decision as a row: from which status, into which, and the step that carries it out. */
export interface DecisionRule {
  readonly step: 'operator.resolve' | 'operator.cancel' | 'operator.reverse';
  readonly from: OrderStatus;
  /** The status as soon as the decision is recorded. */
  readonly at: OrderStatus;
  /** The status once its money is settled. */
  readonly to: OrderStatus;
  readonly next: StepName;
}

/** Every decision (spec §4.4, §12). A cancelled order is cancelled at once: no vendor will be asked any more. */
export const DECISIONS: Readonly<Record<DecisionKind, DecisionRule>> = {
  'resolve-completed': {
    step: 'operator.resolve',
    from: 'InterventionRequired',
    at: 'InterventionRequired',
    to: 'Completed',
    next: 'funds.capture',
  },
  'resolve-failed': {
    step: 'operator.resolve',
    from: 'InterventionRequired',
    at: 'InterventionRequired',
    to: 'Failed',
    next: 'funds.release',
  },
  cancel: {
    step: 'operator.cancel',
    from: 'Pending',
    at: 'Cancelled',
    to: 'Cancelled',
    next: 'funds.release',
  },
  reverse: {
    step: 'operator.reverse',
    from: 'Completed',
    at: 'Completed',
    to: 'Reversed',
    next: 'funds.refund',
  },
};
