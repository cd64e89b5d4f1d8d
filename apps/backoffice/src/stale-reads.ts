import type { Exchange } from '@reseller/http-edge';
import { CHANGE_COOKIE, cookieOf, setCookie } from './sign-in/cookies';

const MAX_STALE = /(?:^|[\s,])max-stale(?:=(\d{1,9}))?(?=$|[\s,])/i;

/**
 * Whether what a read shows may be so many milliseconds old, as a replica has it: for an operator at the console who has changed nothing
 * since, and for a program that says so (`Cache-Control: max-stale`, with seconds or without). Never with 0.
 */
export function acceptsStale(exchange: Exchange, stalenessMs: number): boolean {
  if (stalenessMs === 0) return false;
  const { authorization, 'cache-control': directives = '' } = exchange.request.headers;
  if (!authorization) return cookieOf(exchange, CHANGE_COOKIE) === undefined;
  const [found, seconds] = MAX_STALE.exec(directives) ?? [];
  return found !== undefined && Number(seconds ?? Infinity) * 1_000 >= stalenessMs;
}

/** Has the browser say with its next requests that its operator changed something, until every replica in use shows it. */
export function rememberChange(exchange: Exchange, stalenessMs: number): void {
  if (stalenessMs > 0 && !exchange.request.headers.authorization)
    setCookie(exchange, CHANGE_COOKIE, '1', Math.ceil(stalenessMs / 1_000) + 1);
}
