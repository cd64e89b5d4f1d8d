import { ERROR_CATALOGUE, type AppError, type ErrorDetails } from '@reseller/errors';
import type { Response } from 'express';
import { requestIdOf } from './request-id';

/** Answers with the success envelope (decisions §1.1). */
export function sendSuccess(response: Response, status: number, state: string, payload: unknown): void {
  response.status(status).json({ state, payload });
}

/** Details under these names steer a header and are not shown. */
const steering = new Set(['retryAfterSeconds', 'allow']);

function setHeaders(response: Response, error: AppError, status: number): void {
  const { retryAfterSeconds, allow } = error.details;
  if (status === 401) response.set('WWW-Authenticate', 'Bearer');
  if (typeof allow === 'string') response.set('Allow', allow);
  if (typeof retryAfterSeconds === 'number') response.set('Retry-After', String(retryAfterSeconds));
  else if (status === 429 || status === 503) response.set('Retry-After', '1');
}

/** Answers with the error envelope; its details always hold message and requestId (decisions §1.2). */
export function sendError(response: Response, error: AppError): void {
  const { status } = ERROR_CATALOGUE[error.code];
  const shown = Object.entries(error.details).filter(([name]) => !steering.has(name));
  const details: ErrorDetails = {
    ...Object.fromEntries(shown),
    message: error.message,
    requestId: requestIdOf(response),
  };
  setHeaders(response, error, status);
  response.status(status).json({ state: error.code, payload: null, details });
}
