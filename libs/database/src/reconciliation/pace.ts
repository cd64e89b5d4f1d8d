import type { CheckState } from './reconciliation.repository';

/** How fast a check goes through all its subjects; both in milliseconds. */
export interface Pace {
  /** From one run to the next. */
  readonly intervalMs: number;
  /** From the beginning of a pass to its end. */
  readonly passMs: number;
}

/**
 * How many subjects of its pass a run compares at least, so that the pass ends an interval early if there are as many as last time: the
 * last interval is for what has come since. What is late, or was never through, goes as far as the run may.
 */
export function shareOfPass(state: CheckState, { intervalMs, passMs }: Pace, now: number): number {
  const { atSubject, passStartedAt, passSubjects, lastPassSubjects } = state;
  const startedAt = atSubject !== null && passStartedAt ? passStartedAt.getTime() : now;
  const leftMs = startedAt + passMs - intervalMs - now;
  if (lastPassSubjects === null || leftMs < intervalMs) return Infinity;
  return Math.ceil(((lastPassSubjects - passSubjects) * intervalMs) / leftMs);
}
