import { AppError } from '@reseller/errors';

/** SERVICE_UNAVAILABLE of an edge that has no room for a request (spec §14.2): counted as any error, but no line in the log. */
export class OverloadError extends AppError {
  constructor(retryAfterSeconds: number) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds });
  }
}
