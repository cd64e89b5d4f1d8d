import { AppError } from '@reseller/errors';

/** VALIDATION_WEBHOOK_URL_REJECTED for half a character, which would reach the service as another one. */
export function requireSendable(url: string): void {
  if (/\p{Cs}/u.test(url)) throw new AppError('VALIDATION_WEBHOOK_URL_REJECTED');
}
