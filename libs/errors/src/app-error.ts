import { ERROR_CATALOGUE, type ErrorCode } from './catalogue';
import { listFaults, type FieldFault } from './field-faults';

/** What JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Details of an error that are safe to show to a partner. */
export type ErrorDetails = Record<string, JsonValue>;

/** An error of the catalogue; code and details reach the partner, `cause` stays inside and goes to the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  /** `details.message`, when it is a text, replaces the catalogue's sentence and is shown to partners. */
  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { cause?: unknown }) {
    const { message } = details;
    super(typeof message === 'string' ? message : ERROR_CATALOGUE[code].message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

/** Whether a thrown value is an error of the catalogue. */
export function isAppError(error: unknown): error is AppError {
  return error instanceof AppError;
}

/**
 * VALIDATION_FAILED with one entry for each fault found, as far as an error lists them (spec §1.2, §14.1); `leftOut` more
 * were counted and not made. The sentence says how many there are.
 */
export function validationFailed(faults: readonly FieldFault[], leftOut = 0): AppError {
  const total = faults.length + leftOut;
  const count = total === 1 ? 'one field that is' : `${total} fields that are`;
  const message = `The request holds ${count} missing or wrong; see errors, correct ${total === 1 ? 'it' : 'them'} and send it again.`;
  return new AppError('VALIDATION_FAILED', { message, errors: errorEntries(faults, leftOut) });
}

/** The faults as details carry them. */
const errorEntries = (faults: readonly FieldFault[], leftOut: number): JsonValue =>
  listFaults(faults, leftOut).map((fault) => ({ ...fault }));
