import type { AttemptResult } from './attempt';

/** An event is tried this often in all, then dead-lettered. */
export const MAX_ATTEMPTS = 8;

/** The gaps between attempts, in milliseconds. */
export interface RetryPolicy {
  baseMs: number;
  capMs: number;
}

/** What becomes of a delivery after an attempt: it ends, or is tried again so long after the attempt's end. */
export type NextStep = { status: 'Delivered' | 'DeadLettered' } | { status: null; gapMs: number };

/** The gap after the nth failed attempt (from 1): the base doubled each time, capped, without jitter (spec §10.5). */
export function gapAfter(attemptNumber: number, { baseMs, capMs }: RetryPolicy): number {
  return Math.min(baseMs * 2 ** (attemptNumber - 1), capMs);
}

/** Decides what comes after attempt number `attemptNumber` (from 1). */
export function planAfter(
  attemptNumber: number,
  { errorSummary }: AttemptResult,
  policy: RetryPolicy,
): NextStep {
  if (errorSummary === null) return { status: 'Delivered' };
  if (attemptNumber >= MAX_ATTEMPTS) return { status: 'DeadLettered' };
  return { status: null, gapMs: gapAfter(attemptNumber, policy) };
}
