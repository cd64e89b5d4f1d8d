/** How a call that may or may not have been done is repeated. */
export type Repeat = 'always' | 'with-key' | 'never';

/** What came of one attempt: a refusal, or nothing that could be read. */
export interface Attempt {
  /** The HTTP status; undefined when there was no response. */
  status?: number | undefined;
  state?: string | undefined;
  retryAfterSeconds?: number | undefined;
}

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 8_000;

// The API says of these that the first request is still running: the same one again gets its outcome.
const IN_PROGRESS: readonly (string | undefined)[] = [
  'CONFLICT_ORDER_IN_PROGRESS',
  'CONFLICT_REQUEST_IN_PROGRESS',
];

/** Twice as long each time, and spread so that many callers do not come back at once. */
function backoffMs(attempts: number, random: () => number): number {
  const longest = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  return longest * (0.5 + random() / 2);
}

/** How long to wait before the same request is sent again, in milliseconds; undefined when it must not be. */
export function waitBeforeRetry(
  { status, state, retryAfterSeconds = 0 }: Attempt,
  repeat: Repeat,
  attempts: number,
  random: () => number = Math.random,
): number | undefined {
  const wait = Math.max(retryAfterSeconds * 1000, backoffMs(attempts, random));
  // Nothing was done, so that even a call that must not be done twice may come again.
  if (status === 429 || IN_PROGRESS.includes(state)) return wait;
  const unknown = status === undefined || status >= 500;
  return unknown && repeat !== 'never' ? wait : undefined;
}
