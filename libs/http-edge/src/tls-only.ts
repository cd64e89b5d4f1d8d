import { AppError } from '@reseller/errors';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from './caller-network';

/** What a plain caller is refused with: nothing that it sent is read, and it learns what to do. */
export const plaintextRefused = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message:
      'This address is served by https only. Come by https, through the proxy that ends TLS in front of it, or from the machine itself.',
    errors: [],
  });

/** Paths of the platform's own probes, which say nothing of anybody and need no TLS. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Whether a request came by TLS or from this machine: straight from loopback, or by https at each of the proxies in front, of
 * which the last is one that is believed. Whoever a proxy forwards is somewhere else, also where the proxy is on this machine.
 */
export function cameProtected(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustsProxy: (address: string) => boolean,
): boolean {
  const proto = headers['x-forwarded-proto'];
  const isForwarded = [proto, headers['x-forwarded-for'], headers['forwarded']].some(
    (one) => one !== undefined,
  );
  if (!isForwarded) return isLoopback(socket.remoteAddress);
  // All of them: what stands first may be the caller's own word.
  const isSecure = String(proto ?? '')
    .split(',')
    .every((one) => one.trim() === 'https');
  return isSecure && trustsProxy(socket.remoteAddress ?? '');
}

/** Whether a path is served in plain text. */
export const isProbe = (path: string): boolean => PROBES.has(path);
