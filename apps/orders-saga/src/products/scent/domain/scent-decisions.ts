import type { DecisionKind, DecisionRule } from '../../../operations/domain/decision';
import { recordedStep, type JournalEntry } from '../../../saga/domain/journal';

/** The steps that make a scent order, each with the step at which undoing it begins (spec §7.3). */
const UNDO: Readonly<Record<string, string>> = {
  'checkout.begin': 'checkout.cancel',
  'funds.reserve': 'funds.release',
  // Whether it took the charge is known once its hold is to be released.
  'funds.settle': 'funds.release',
  'checkout.commit': 'funds.refund',
};

/** The step that undoes an order from where it stands; one that is being undone goes on with it. */
function undo(journal: readonly JournalEntry[]): string | undefined {
  const step = recordedStep(journal) ?? '';
  return UNDO[step] ?? step;
}

const isCharged = (journal: readonly JournalEntry[]): boolean =>
  journal.some(({ step, outcome }) => step === 'funds.settle' && outcome === 'Done');

/**
 * What an operator can decide of a scent order that is not paid, or cannot be made (spec §7.3): have it carried on from where it
 * stands, or undone whole; while the charge is not taken for certain, it can be cancelled too. Until it is undone it needs its
 * operator, so that its cart is free again when it reads Failed or Cancelled.
 */
export const SCENT_DECISIONS: Readonly<Partial<Record<DecisionKind, DecisionRule>>> = {
  'resolve-completed': {
    step: 'operator.resolve',
    from: ['InterventionRequired'],
    to: 'Processing',
    next: (journal) => {
      const step = recordedStep(journal) ?? '';
      return step in UNDO ? step : undefined;
    },
  },
  'resolve-failed': {
    step: 'operator.resolve',
    from: ['InterventionRequired'],
    to: 'Failed',
    next: undo,
  },
  cancel: {
    step: 'operator.cancel',
    from: ['Pending', 'InterventionRequired'],
    at: 'InterventionRequired',
    to: 'Cancelled',
    next: (journal) => (isCharged(journal) ? undefined : undo(journal)),
  },
};
