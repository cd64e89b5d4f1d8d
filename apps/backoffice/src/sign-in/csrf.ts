import { AppError } from '@reseller/errors';
import type { Exchange } from '@reseller/http-edge';
import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a change with a session has to carry beside its cookie: made of the session, so that nothing more is kept. */
export const csrfTokenOf = (session: string): string =>
  createHmac('sha256', session).update('csrf').digest('base64url');

/** Throws FORBIDDEN_CSRF unless a request comes from a page of this origin that knows the session's csrfToken (spec §18.1). */
export function requireOwnPage({ request }: Exchange, session: string, origin: string): void {
  const expected = Buffer.from(csrfTokenOf(session));
  const given = Buffer.from(String(request.headers['x-csrf-token'] ?? ''));
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  if (request.headers.origin !== origin || !isOurs) throw new AppError('FORBIDDEN_CSRF');
}
