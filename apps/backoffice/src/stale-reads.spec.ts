import { describe, expect, it } from '@jest/globals';
import type { Exchange } from '@reseller/http-edge';
import { acceptsStale, rememberChange } from './stale-reads';

const exchangeOf = (headers: Record<string, string>) => {
  const set: string[] = [];
  const response = { appendHeader: (_: string, value: string) => set.push(value) };
  return { exchange: { request: { headers }, response } as unknown as Exchange, set };
};
const accepts = (headers: Record<string, string>, stalenessMs = 2_000): boolean =>
  acceptsStale(exchangeOf(headers).exchange, stalenessMs);

describe('reads that may be older', () => {
  it('when an operator at the console changed nothing lately, then they may', () => {
    expect(accepts({ cookie: '__Host-operator-session=s' })).toBe(true);
    expect(accepts({ cookie: '__Host-operator-session=s' }, 0)).toBe(false);
  });

  it('when an operator changes something, then none of the next requests accepts it, until replicas have it', () => {
    const { exchange, set } = exchangeOf({ cookie: '__Host-operator-session=s' });
    rememberChange(exchange, 2_000);
    expect(set).toEqual(['__Host-operator-change=1; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=3']);
    expect(accepts({ cookie: '__Host-operator-session=s; __Host-operator-change=1' })).toBe(false);
  });

  it.each([
    ['', false],
    ['no-cache', false],
    ['max-stale', true],
    ['no-transform, max-stale=2', true],
    ['max-stale=1', false],
    ['x-max-stale', false],
  ])('when a program says "%s", then they may: %s', (directives, expected) => {
    const { exchange, set } = exchangeOf({ authorization: 'Bearer op_x', 'cache-control': directives });
    expect(acceptsStale(exchange, 2_000)).toBe(expected);
    rememberChange(exchange, 2_000);
    expect(set).toEqual([]);
  });
});
