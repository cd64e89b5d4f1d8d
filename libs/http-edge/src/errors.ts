import { AppError, ERROR_CATALOGUE, isAppError, type ErrorCode, type JsonValue } from '@reseller/errors';

/** An error as it goes out. */
interface ErrorResponse {
  status: number;
  code: ErrorCode;
  details: Record<string, JsonValue>;
  headers: Record<string, string>;
}

/** Seconds to wait where the error itself does not say. */
const DEFAULT_RETRY_AFTER: Partial<Record<ErrorCode, number>> = {
  SERVICE_UNAVAILABLE: 2,
  CONFLICT_ORDER_IN_PROGRESS: 1,
  CONFLICT_REQUEST_IN_PROGRESS: 1,
  RATE_LIMITED: 1,
};

/** What a thrown value is to a caller: an AppError as the catalogue has it, anything else INTERNAL_ERROR (spec §1.2). */
export function toErrorResponse(thrown: unknown, requestId: string): ErrorResponse {
  const error = isAppError(thrown) ? thrown : new AppError('INTERNAL_ERROR', {}, { cause: thrown });
  const { retryAfterSeconds, message: _message, requestId: _requestId, ...details } = error.details;
  return {
    status: ERROR_CATALOGUE[error.code].status,
    code: error.code,
    details: { message: error.message, requestId, ...details },
    headers: headersOf(error.code, retryAfterSeconds),
  };
}

function headersOf(code: ErrorCode, retryAfterSeconds: JsonValue | undefined): Record<string, string> {
  const headers: Record<string, string> = {};
  const seconds = typeof retryAfterSeconds === 'number' ? retryAfterSeconds : DEFAULT_RETRY_AFTER[code];
  if (seconds !== undefined) headers['Retry-After'] = String(Math.max(1, Math.ceil(seconds)));
  if (ERROR_CATALOGUE[code].status === 401) headers['WWW-Authenticate'] = 'Bearer';
  return headers;
}
