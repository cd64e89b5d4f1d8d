import { AppError } from '@reseller/errors';

/** SERVICE_UNAVAILABLE, with the reason for the log alone. */
export const refusal = (reason: string): AppError =>
  new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error(reason) });
