import type { DecisionKind, DecisionRule } from '../../operations/domain/decision';

/**
 * What an operator can decide of an order that a vendor delivers (spec §4.4, §12). A cancelled order is cancelled at once:
 * no vendor will be called any more. One whose money could not be set aside is still Pending: it can be cancelled.
 */
export const VENDOR_DECISIONS: Readonly<Record<DecisionKind, DecisionRule>> = {
  'resolve-completed': {
    step: 'operator.resolve',
    from: ['InterventionRequired'],
    to: 'Completed',
    next: () => 'funds.capture',
  },
  'resolve-failed': {
    step: 'operator.resolve',
    from: ['InterventionRequired'],
    to: 'Failed',
    next: () => 'funds.release',
  },
  cancel: {
    step: 'operator.cancel',
    from: ['Pending'],
    at: 'Cancelled',
    to: 'Cancelled',
    next: () => 'funds.release',
  },
  reverse: {
    step: 'operator.reverse',
    from: ['Completed'],
    to: 'Reversed',
    next: () => 'funds.refund',
  },
};
