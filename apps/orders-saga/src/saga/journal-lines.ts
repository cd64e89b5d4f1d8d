import type { JournalEntry } from './domain/journal';

/**
 * Entries as the lines that `sagas.journal` has of them, the newest first and without their time, which the database adds: step,
 * attempt, outcome (null for an intent) and, where there are any, details.
 */
export function toLines(entries: readonly JournalEntry[]): string {
  return entries.toReversed().map(toLine).join('\n');
}

/** A pattern for the line of each of these intents, by which the database knows one that is recorded already. */
export function intentKeys(entries: readonly JournalEntry[]): string[] {
  const intents = entries.filter(({ phase }) => phase === 'intent');
  return intents.map(({ step, attempt }) => `% ${JSON.stringify([step, attempt, null]).slice(0, -1)}%`);
}

function toLine({ step, attempt, outcome, details }: JournalEntry): string {
  const values = details === null ? [step, attempt, outcome] : [step, attempt, outcome, details];
  const line = JSON.stringify(values);
  return UNREADABLE.test(line) ? JSON.stringify(values, readable) : line;
}

// What JSON may escape and PostgreSQL does not read, as a vendor's words may hold: a NUL, half of a pair.
const UNREADABLE = /\\u(?:0000|d[89a-f])/i;

const readable = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD') : value;
