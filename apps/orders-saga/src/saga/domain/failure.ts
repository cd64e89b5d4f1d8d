import { isAppError, type ErrorCode } from '@reseller/errors';
import { doublingGap } from './backoff';

/** Where a step's failures stand: how many in a row, and for how long, in milliseconds by the database's clock. */
export interface FailureCount {
  readonly failures: number;
  readonly failingForMs: number;
}

/** When an order is given to a person: after this time in milliseconds, and no sooner than after so many failures. */
export interface ParkingLimits {
  readonly afterMs: number;
  readonly leastFailures: number;
}

// So that it takes more than one look at a service that was away for long.
const LEAST_FAILURES = 5;

/** The limits of a setting. */
export function parkingLimits({
  SAGA_PARK_AFTER_MS: afterMs,
}: {
  SAGA_PARK_AFTER_MS: number;
}): ParkingLimits {
  return { afterMs, leastFailures: LEAST_FAILURES };
}

// A type, so that it is JSON too.
/** A failure in words that an operator may read; never the exception's own, which may hold what is nobody's business. */
export type FailureReason = {
  readonly code: ErrorCode;
  readonly reason: string;
};

const AWAY: readonly ErrorCode[] = ['SERVICE_UNAVAILABLE', 'RATE_LIMITED'];

const RETRY_BASE_MS = 1_000;
const RETRY_CAP_MS = 30_000;

/**
 * Whether a failed try counts towards parking. A service that is merely away does not, however long (spec §4.7): its order
 * waits. Everything else does: another code of the catalogue, a malformed response, a fault in our own code, a constraint.
 */
export function isLastingFailure(error: unknown): boolean {
  return !(isAppError(error) && AWAY.includes(error.code));
}

/** Whether a step has failed so often and for so long that it is parked. */
export function isToBeParked({ failures, failingForMs }: FailureCount, limits: ParkingLimits): boolean {
  return failures >= limits.leastFailures && failingForMs >= limits.afterMs;
}

/** Milliseconds until a failed step is tried again: it doubles, so that what fails does not use up its lane. */
export function retryGap({ failures }: Pick<FailureCount, 'failures'>, { afterMs }: ParkingLimits): number {
  const baseMs = Math.min(RETRY_BASE_MS, afterMs / 8);
  return Math.min(doublingGap(failures - 1, baseMs, RETRY_CAP_MS), Math.max(afterMs / 3, baseMs));
}

/** What an operator reads of a failure. */
export function reasonOf(error: unknown): FailureReason {
  const code = isAppError(error) ? error.code : 'INTERNAL_ERROR';
  return { code, reason: reasonOfCode(code) };
}

/** A failure's code in one plain sentence. */
export function reasonOfCode(code: ErrorCode): string {
  return code === 'INTERNAL_ERROR'
    ? 'A service, or our own code, failed at this step each time it was tried; the log has the error.'
    : `A service refused this step with ${code} each time it was tried, for which there is no way on.`;
}
