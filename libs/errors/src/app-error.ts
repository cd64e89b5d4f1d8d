import { ERROR_CATALOGUE, type ErrorCode } from './catalogue';

/** What JSON can carry. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue };

/** Details of an error that are safe to show to a partner. */
export type ErrorDetails = Record<string, JsonValue>;

/** One fault of a request: `path` like "lines.0.quantity", or the parameter's name in a query or path. */
export interface FieldFault {
  path: string;
  message: string;
}

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

/** VALIDATION_FAILED with one entry for each fault found (spec §1.2); the sentence says how many. */
export function validationFailed(errors: FieldFault[]): AppError {
  const count = errors.length === 1 ? 'one field that is' : `${errors.length} fields that are`;
  const message = `The request holds ${count} missing or wrong; see errors, correct ${errors.length === 1 ? 'it' : 'them'} and send it again.`;
  return new AppError('VALIDATION_FAILED', {
    message,
    errors: errors.map(({ path, message: fault }) => ({ path, message: fault })),
  });
}
