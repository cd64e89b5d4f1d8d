import type { Request } from 'express';

/** The caller's address: the socket's, unless TRUST_PROXY names the proxies in front (spec §11.2). */
export function callerAddress(request: Request): string {
  const address = request.ip ?? 'unknown';
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
