import type { JsonValue } from '@reseller/errors';

/** The steps of all sagas, as an order's timeline shows them. */
export type StepName =
  | 'funds.reserve'
  | 'funds.release'
  | 'funds.capture'
  | 'funds.refund'
  | 'funds.settle'
  | 'vendor.submit'
  | 'vendor.choose'
  | 'checkout.begin'
  | 'checkout.commit'
  | 'checkout.cancel';

/** What a journal entry is about: a step, an operator's decision, the order's birth, or one answer of a vendor. */
export type EntryName =
  | StepName
  | 'order.created'
  | 'vendor.answer'
  | 'operator.resolve'
  | 'operator.cancel'
  | 'operator.reverse'
  | FulfillmentEntry;

/** What happens to a scent order after its saga: nothing of it is ever an open step. */
export type FulfillmentEntry =
  | 'operator.ship'
  | 'operator.deliver'
  | 'operator.cancel-group'
  | 'operator.approve-return'
  | 'operator.decline-return'
  | 'return.request';

/** What came of it. */
export type EntryOutcome = 'Done' | 'Refused' | 'Pending' | 'Unknown' | 'Failed';

/** One entry of an order's journal; an intent has no outcome. */
export interface JournalEntry {
  readonly step: EntryName;
  readonly attempt: number;
  readonly phase: 'intent' | 'result';
  readonly outcome: EntryOutcome | null;
  readonly details: Readonly<Record<string, JsonValue>> | null;
}

const OPERATOR_STEPS: readonly string[] = ['operator.resolve', 'operator.cancel', 'operator.reverse'];

/** The step that was intended last and has no result: where whoever carries the order on has to start. */
export function openStep(journal: readonly JournalEntry[]): (JournalEntry & { step: StepName }) | undefined {
  return journal.findLast(
    (entry): entry is JournalEntry & { step: StepName } =>
      entry.phase === 'intent' && !OPERATOR_STEPS.includes(entry.step) && !hasResult(journal, entry),
  );
}

/** The operator's decision that is not yet carried out. */
export function openDecision(journal: readonly JournalEntry[]): JournalEntry | undefined {
  return journal.findLast(
    (entry) => entry.phase === 'intent' && OPERATOR_STEPS.includes(entry.step) && !hasResult(journal, entry),
  );
}

/** An entry of one decision's step. */
export type DecisionEntry = Pick<JournalEntry, 'attempt' | 'phase' | 'outcome'>;

/** Whether a decision of these entries may be taken: never before, or each time it could not be carried out. */
export function canBeDecided(entries: readonly DecisionEntry[]): boolean {
  return entries
    .filter(({ phase }) => phase === 'intent')
    .every(({ attempt }) =>
      entries.some(
        (entry) => entry.attempt === attempt && entry.phase === 'result' && entry.outcome === 'Failed',
      ),
    );
}

/** The intent entry of a step, numbered after those it already had. */
export function intentOf(
  journal: readonly JournalEntry[],
  step: EntryName,
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
  step: EntryName,
): Readonly<Record<string, JsonValue>> {
  return journal.findLast((entry) => entry.step === step && entry.phase === 'result')?.details ?? {};
}

/** The vendors that certainly took nothing since an order's vendor was last chosen afresh; the open intent's is none. */
export function vendorsPassed(journal: readonly JournalEntry[]): string[] {
  const chosenAt = journal.findLastIndex(({ step }) => step === 'vendor.choose');
  return journal.slice(chosenAt + 1).flatMap(({ step, phase, outcome, details }) => {
    const vendor = details?.['vendor'];
    const isPassed = step === 'vendor.submit' && phase === 'result' && outcome === 'Failed';
    return isPassed && typeof vendor === 'string' ? [vendor] : [];
  });
}

function hasResult(journal: readonly JournalEntry[], intent: JournalEntry): boolean {
  return journal.some(
    (entry) => entry.phase === 'result' && entry.step === intent.step && entry.attempt === intent.attempt,
  );
}
