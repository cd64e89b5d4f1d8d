import { describe, expect, it } from '@jest/globals';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { cameProtected } from './tls-only';

const trusts = (address: string): boolean => ['10.42.7.1', '127.0.0.1'].includes(address);
const came = (remoteAddress: string | undefined, headers: IncomingMessage['headers'] = {}): boolean =>
  cameProtected({ headers, socket: { remoteAddress } as Socket }, trusts);

describe('whether a request came by TLS or from this machine', () => {
  it.each<[from: string | undefined, expected: boolean]>([
    ['127.0.0.1', true],
    ['127.9.9.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['10.42.7.1', false],
    ['10.0.0.8', false],
    ['203.0.113.9', false],
    ['::ffff:203.0.113.9', false],
    [undefined, false],
  ])('when it comes straight from %s, then %s', (from, expected) => {
    expect(came(from)).toBe(expected);
  });

  it.each<[what: string, from: string, headers: IncomingMessage['headers'], expected: boolean]>([
    ['a believed proxy says https', '10.42.7.1', { 'x-forwarded-proto': 'https' }, true],
    ['each of two proxies says https', '10.42.7.1', { 'x-forwarded-proto': 'https, https' }, true],
    ['a believed proxy says http', '10.42.7.1', { 'x-forwarded-proto': 'http' }, false],
    [
      'a caller says https before the proxy’s http',
      '10.42.7.1',
      { 'x-forwarded-proto': 'https,http' },
      false,
    ],
    [
      'a believed proxy names a caller and no protocol',
      '127.0.0.1',
      { 'x-forwarded-for': '203.0.113.9' },
      false,
    ],
    ['a believed proxy of this machine says http', '127.0.0.1', { 'x-forwarded-proto': 'http' }, false],
    ['somebody else says https', '10.42.7.2', { 'x-forwarded-proto': 'https' }, false],
    [
      'a proxy of this machine that is not believed says https',
      '::1',
      { 'x-forwarded-proto': 'https' },
      false,
    ],
  ])('when %s, then that decides', (_what, from, headers, expected) => {
    expect(came(from, headers)).toBe(expected);
  });
});
