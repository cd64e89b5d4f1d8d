import { AppError, isAppError } from '@reseller/errors';
import type { ErrorRequestHandler } from 'express';
import type { Logger } from 'pino';
import { sendError } from './envelope';
import { requestIdOf } from './request-id';

/** What Express and its body parser throw. */
interface HttpFault {
  status?: number;
  type?: string;
}

function fromHttpFault({ status, type }: HttpFault): AppError | undefined {
  if (type === 'entity.too.large') return new AppError('VALIDATION_PAYLOAD_TOO_LARGE');
  if (type === 'charset.unsupported' || type === 'encoding.unsupported') {
    return new AppError('VALIDATION_UNSUPPORTED_MEDIA_TYPE');
  }
  // A broken body: no JSON, cut off, or not what its Content-Encoding says.
  return status === 400 ? new AppError('VALIDATION_MALFORMED_JSON') : undefined;
}

/** Turns whatever was thrown into an error of the catalogue; an unknown fault becomes INTERNAL_ERROR, with its cause. */
export function toAppError(error: unknown): AppError {
  if (isAppError(error)) return error;
  const known = typeof error === 'object' && error !== null ? fromHttpFault(error) : undefined;
  return known ?? new AppError('INTERNAL_ERROR', {}, { cause: error });
}

/** The last stop of every fault: nothing leaves outside the envelope, and what nobody foresaw is logged in full. */
export function errorBoundary(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, request, response, next) => {
    const error = toAppError(thrown);
    const requestId = requestIdOf(response);
    if (error.code === 'INTERNAL_ERROR') {
      log.error({ err: thrown, requestId, method: request.method, path: request.path }, 'request failed');
    }
    if (response.headersSent) return next(thrown);
    sendError(response, error);
  };
}
