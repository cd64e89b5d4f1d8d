import type { OrderStatus } from '../../order/domain/order';
import type { JournalEntry } from '../../saga/domain/journal';

/** What an operator can decide of an order. */
export type DecisionKind = 'resolve-completed' | 'resolve-failed' | 'cancel' | 'reverse';

/** A decision that the order's saga carries out: from which status, into which, and by which step. */
export interface DecisionRule {
  readonly step: 'operator.resolve' | 'operator.cancel' | 'operator.reverse';
  readonly from: OrderStatus;
  /** The status as soon as the decision is recorded. */
  readonly at: OrderStatus;
  /** The status once its money is settled. */
  readonly to: OrderStatus;
  /** The step of the saga's plan that is then open. */
  readonly next: string;
}

/** Who decides, in the course of which request, and why, for the timeline. */
export interface OperatorCall {
  readonly operator: string;
  readonly requestId: string;
  readonly notes?: string | undefined;
}

/** What the journal says of a decision: `other` is another decision under the same step. */
export function decisionState(
  journal: readonly JournalEntry[],
  kind: DecisionKind,
  { step }: DecisionRule,
): 'none' | 'open' | 'done' | 'failed' | 'other' {
  const intent = journal.findLast((entry) => entry.step === step && entry.phase === 'intent');
  if (!intent) return 'none';
  const result = journal.find(
    (entry) => entry.step === step && entry.phase === 'result' && entry.attempt === intent.attempt,
  );
  if (result?.outcome === 'Failed') return 'failed';
  if (intent.details?.['decision'] !== kind) return 'other';
  return result ? 'done' : 'open';
}
