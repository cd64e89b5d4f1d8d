import type { Moves } from '../../order/domain/moves';
import type { Order, OrderChange, OrderStatus } from '../../order/domain/order';
import type { NextMove, NextMoves } from './next-move';
import type { Details, RunMode, StepOutcome } from './step-outcome';
import type { FailureReason } from './failure';
import { intentOf, openDecision, resultOf, type EntryOutcome, type JournalEntry } from './journal';

/** One recorded move of a saga: what is written of it in one statement. */
export interface Transition {
  readonly to: OrderStatus;
  readonly change?: OrderChange | undefined;
  readonly entries: readonly JournalEntry[];
  /** Hold goes on at once; Suspend lets anyone go on after `wakeMs`; Park awaits an operator; Finish ends the saga. */
  readonly next: 'Hold' | 'Suspend' | 'Park' | 'Finish';
  readonly wakeMs?: number | undefined;
}

/** The order never was: it is deleted with its saga, and `error` is what its request returns. */
export interface Withdrawal {
  readonly next: 'Withdraw';
  readonly error: Error;
}

/** Where a saga stands: the order and its journal as last recorded. */
export interface SagaSnapshot {
  readonly order: Order;
  readonly journal: readonly JournalEntry[];
}

/** What follows from the outcome of the open step (spec §4.7). */
export function transitionOf(
  moves: Moves,
  snapshot: SagaSnapshot,
  intent: JournalEntry,
  step: NextMoves,
  outcome: StepOutcome,
): Transition | Withdrawal {
  switch (outcome.kind) {
    case 'done':
      return follow(moves, snapshot, intent, step.done, 'Done', outcome);
    case 'refused':
      return step.refused
        ? follow(moves, snapshot, intent, step.refused, 'Refused', outcome)
        : park(moves, snapshot, intent, outcome);
    case 'undecidable':
      return park(moves, snapshot, intent, outcome);
    case 'suspended':
      return suspend(snapshot, outcome);
    case 'replaced':
      return replace(snapshot, intent, outcome);
  }
}

/**
 * What gives an order to a person whose step has failed for good. The step stays open: whoever carries the order on begins
 * there, and what it may have moved meanwhile stays where it is. A decision that led there may be taken again, or another.
 */
export function parkAt(
  moves: Moves,
  { order, journal }: SagaSnapshot,
  step: string,
  failure: FailureReason,
): Transition {
  const details = { at: step, ...failure };
  const decision = openDecision(journal);
  const entries = [
    parkedNote(journal, details),
    ...(decision ? [resultOf(decision, 'Failed', details)] : []),
  ];
  const change = { statusDescription: WAITING_FOR_PERSON };
  return { to: parkedStatus(moves, order), change, entries, next: 'Park' };
}

/** What ends a saga in which nothing is open, as when an operator's takeover was cut off before the decision. */
export function settle({ order }: SagaSnapshot): Transition {
  const next = order.status === 'InterventionRequired' ? 'Park' : 'Finish';
  return { to: order.status, entries: [], next };
}

/**
 * Whether a transition emits the event of its new status. That an order is Processing is emitted once, as soon as no
 * request waits any more that would return it.
 */
export function emitsStatus(
  from: OrderStatus,
  { to, next }: Pick<Transition, 'to' | 'next'>,
  { mode, isProcessingEmitted }: { mode: RunMode; isProcessingEmitted: boolean },
): boolean {
  if (to !== 'Processing') return to !== from;
  return !isProcessingEmitted && (mode === 'recovery' || next !== 'Hold');
}

function follow(
  moves: Moves,
  { order, journal }: SagaSnapshot,
  intent: JournalEntry,
  move: NextMove,
  result: EntryOutcome,
  outcome: Extract<StepOutcome, { kind: 'done' | 'refused' }>,
): Transition | Withdrawal {
  if (move.kind === 'withdraw') {
    if (order.status !== 'Pending' && move.onceSeen) {
      return follow(moves, { order, journal }, intent, move.onceSeen, result, outcome);
    }
    const refusal = outcome.kind === 'refused' ? outcome.error : undefined;
    return {
      next: 'Withdraw',
      error: move.reason?.(journal) ?? refusal ?? new Error('the order was refused'),
    };
  }
  const entry = resultOf(intent, result, outcome.details ?? null);
  if (move.kind === 'go') {
    const entries = [entry, intentOf(journal, move.step, move.details?.(order))];
    // Under way again: that was the decision.
    const decision =
      order.status === 'InterventionRequired' && move.status ? openDecision(journal) : undefined;
    if (decision) entries.push(resultOf(decision, 'Done'));
    return { to: move.status ?? order.status, change: outcome.change, entries, next: 'Hold' };
  }
  const decision = openDecision(journal);
  const entries = decision ? [entry, resultOf(decision, 'Done')] : [entry];
  const change = { ...outcome.change, ...move.change?.(order, journal) };
  return { to: move.status(order, journal), change, entries, next: 'Finish' };
}

function park(
  moves: Moves,
  { order, journal }: SagaSnapshot,
  intent: JournalEntry,
  outcome: Extract<StepOutcome, { kind: 'refused' | 'undecidable' }>,
): Transition {
  const details = outcome.details ?? null;
  const result = outcome.kind === 'undecidable' ? (outcome.result ?? 'Failed') : 'Failed';
  const entries = [resultOf(intent, result, details)];
  const decision = openDecision(journal);
  if (decision) entries.push(resultOf(decision, 'Failed', details));
  return { to: parkedStatus(moves, order), change: outcome.change, entries, next: 'Park' };
}

// The journal's note that an order waits for a person since then, and why; its step stays open.
const PARKED = 'saga.parked';

const WAITING_FOR_PERSON = 'It is being checked by a person.';

function parkedNote(journal: readonly JournalEntry[], details: Details): JournalEntry {
  const attempt = journal.filter(({ step }) => step === PARKED).length;
  return { step: PARKED, attempt, phase: 'result', outcome: 'Failed', details };
}

// Where its product's moves do not have that, as before a vendor is called and after the end, it keeps its status (spec §4.4).
function parkedStatus(moves: Moves, { status }: Order): OrderStatus {
  return moves[status]?.includes('InterventionRequired') ? 'InterventionRequired' : status;
}

function suspend(
  { order }: SagaSnapshot,
  { afterMs, change, notes = [] }: Extract<StepOutcome, { kind: 'suspended' }>,
): Transition {
  return { to: order.status, change, entries: notes, next: 'Suspend', wakeMs: afterMs };
}

// One intent takes the place of another in one statement, so that a crash finds the one or the other open.
function replace(
  { order, journal }: SagaSnapshot,
  intent: JournalEntry,
  { result, details, step, intentDetails, change, afterMs }: Extract<StepOutcome, { kind: 'replaced' }>,
): Transition {
  const entries = [resultOf(intent, result, details), intentOf(journal, step, intentDetails)];
  const next = afterMs === undefined ? 'Hold' : 'Suspend';
  return { to: order.status, change, entries, next, wakeMs: afterMs };
}
