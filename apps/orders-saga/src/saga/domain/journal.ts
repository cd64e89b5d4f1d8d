import type { OperatorDecision } from '@reseller/contracts';
import type { JsonValue } from '@reseller/errors';

/** What came of it. */
export type EntryOutcome = 'Done' | 'Refused' | 'Pending' | 'Unknown' | 'Failed';

/** One entry of an order's journal; an intent has no outcome. */
export interface JournalEntry {
  /** What it is about: a step of the plan, an operator's decision, the order's birth, or a note of the product's own. */
  readonly step: string;
  readonly attempt: number;
  readonly phase: 'intent' | 'result';
  readonly outcome: EntryOutcome | null;
  readonly details: Readonly<Record<string, JsonValue>> | null;
}

/** Decisions about the saga; each opens the step that carries it out. */
export const DECISIONS: readonly string[] = ['operator.resolve', 'operator.cancel', 'operator.reverse'];

/** The step that was intended last and has no result: where whoever carries the order on has to start. */
export function openStep(journal: readonly JournalEntry[]): JournalEntry | undefined {
  return journal.findLast(
    (entry) => entry.phase === 'intent' && !DECISIONS.includes(entry.step) && !hasResult(journal, entry),
  );
}

/** The operator's decision that is not yet carried out. */
export function openDecision(journal: readonly JournalEntry[]): JournalEntry | undefined {
  return journal.findLast(
    (entry) => entry.phase === 'intent' && DECISIONS.includes(entry.step) && !hasResult(journal, entry),
  );
}

/**
 * Which operator's decision the steps follow from that are taken now; undefined while the saga goes its own way, and where a
 * partner decided in its sandbox (spec §18.4).
 */
export function decidedBy(journal: readonly JournalEntry[]): OperatorDecision | undefined {
  const { operator, isByPartner, requestId, approvedBy } = openDecision(journal)?.details ?? {};
  if (typeof operator !== 'string' || isByPartner) return undefined;
  return { operator, requestId: textOf(requestId), approvedBy: textOf(approvedBy) };
}

const textOf = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The decision that was taken last, whatever came of it. */
export function lastDecision(journal: readonly JournalEntry[]): JournalEntry | undefined {
  return journal.findLast((entry) => entry.phase === 'intent' && DECISIONS.includes(entry.step));
}

/** The step of the plan that the saga stands at, also once it was given up there. */
export function recordedStep(journal: readonly JournalEntry[]): string | undefined {
  return journal.findLast((entry) => entry.phase === 'intent' && !DECISIONS.includes(entry.step))?.step;
}

/** An entry of a decision. */
export type DecisionEntry = Pick<JournalEntry, 'step' | 'attempt' | 'phase' | 'outcome'>;

/** Whether no decision of these entries is under way, so that another one may be taken. */
export function canBeDecided(entries: readonly DecisionEntry[]): boolean {
  return entries.every((entry) => entry.phase === 'result' || resultIn(entries, entry) !== undefined);
}

/** What came of an intent; undefined while it is open. */
export function resultIn<Entry extends DecisionEntry>(
  entries: readonly Entry[],
  intent: Pick<JournalEntry, 'step' | 'attempt'>,
): Entry | undefined {
  return entries.find(
    (entry) => entry.phase === 'result' && entry.step === intent.step && entry.attempt === intent.attempt,
  );
}

/** The intent entry of a step, numbered after those it already had. */
export function intentOf(
  journal: readonly JournalEntry[],
  step: string,
  details: JournalEntry['details'] = null,
): JournalEntry {
  const attempt = journal.filter((entry) => entry.step === step && entry.phase === 'intent').length;
  return { step, attempt, phase: 'intent', outcome: null, details };
}

/** The result entry that closes an intent. */
export function resultOf(
  intent: JournalEntry,
  outcome: EntryOutcome,
  details: JournalEntry['details'] = null,
): JournalEntry {
  return { step: intent.step, attempt: intent.attempt, phase: 'result', outcome, details };
}

/** What was noted with the last result of a step; empty when there is none. */
export function lastDetails(
  journal: readonly JournalEntry[],
  step: string,
): Readonly<Record<string, JsonValue>> {
  return journal.findLast((entry) => entry.step === step && entry.phase === 'result')?.details ?? {};
}

function hasResult(journal: readonly JournalEntry[], intent: JournalEntry): boolean {
  return resultIn(journal, intent) !== undefined;
}
