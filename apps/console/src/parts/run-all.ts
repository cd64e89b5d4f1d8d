import { refusalOf } from '../api/refusal';

/** As many calls are under way at once. */
const AT_ONCE = 4;

/** How far a change of many things is. */
export interface Outcome {
  readonly all: number;
  readonly done: number;
  readonly refusals: readonly (readonly [name: string, why: string])[];
  readonly failure?: unknown;
}

/** What is done to each of them, and where its progress is reported. */
interface Work<T> {
  readonly nameOf: (row: T) => string;
  readonly run: (row: T) => Promise<unknown>;
  readonly report: (outcome: Outcome) => void;
}

/** Makes the change of each row, some at a time; a refusal stops none of the others. */
export async function runAll<T>(rows: readonly T[], { nameOf, run, report }: Work<T>): Promise<void> {
  let outcome: Outcome = { all: rows.length, done: 0, refusals: [] };
  report(outcome);
  const left = rows.values();
  const work = async (): Promise<void> => {
    for (const row of left) {
      const refusal = await run(row).then(() => undefined, refusalOf);
      // Added where nothing waits any more: of two that end together neither is lost.
      outcome = refusal
        ? { ...outcome, refusals: [...outcome.refusals, [nameOf(row), refusal.message]] }
        : { ...outcome, done: outcome.done + 1 };
      report(outcome);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}
