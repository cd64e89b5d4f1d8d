import { inspect } from 'node:util';
import type { InvalidEventError } from '@reseller/errors';
import type { DeadLetterFailure, DeadLetterReason } from './dead-letter';

const LONGEST_MESSAGE = 500;
const LONGEST_DETAIL = 8_000;

/** Why an event becomes a dead letter. */
export type DeadLetterCause = Error & { readonly reason: DeadLetterReason };

/** The cause of an event that so many processes did not survive. */
export function endsProcess(processEnds: number): DeadLetterCause {
  const sentence = `the process ended ${processEnds} times while it handled the event alone`;
  return Object.assign(new Error(sentence), { reason: 'EndsProcess' as const });
}

/** What is stored of a cause. */
export function failureOf(
  cause: InvalidEventError | DeadLetterCause,
  of: { group: string; attempts: number },
): DeadLetterFailure {
  return {
    ...of,
    reason: cause.reason,
    message: cause.message.slice(0, LONGEST_MESSAGE),
    detail: inspect(cause).slice(0, LONGEST_DETAIL),
  };
}
