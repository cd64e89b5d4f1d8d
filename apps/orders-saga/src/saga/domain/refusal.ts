import { AppError, isAppError, isErrorCode } from '@reseller/errors';
import type { Details } from './step-outcome';
import type { JournalEntry } from './journal';

/** A refusal as the journal notes it, so that whoever carries the order on can still return it. */
export function refusalDetails(error: Error): Details {
  return isAppError(error) ? { code: error.code, details: error.details } : {};
}

/** The refusal of the step that was refused last; SERVICE_UNAVAILABLE when none is on record. */
export function recordedRefusal(journal: readonly JournalEntry[]): Error {
  const refused = journal.findLast(({ outcome }) => outcome === 'Refused')?.details;
  const code = refused?.['code'];
  if (typeof code !== 'string' || !isErrorCode(code)) return new AppError('SERVICE_UNAVAILABLE');
  const details = refused?.['details'];
  const isObject = typeof details === 'object' && details !== null && !Array.isArray(details);
  return new AppError(code, isObject ? details : {});
}
