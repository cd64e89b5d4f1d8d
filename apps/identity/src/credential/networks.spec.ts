import { describe, expect, it } from '@jest/globals';
import { isCidr, isWithin } from './networks';

describe('networks of a credential (spec §18.6)', () => {
  it.each(['203.0.113.0/24', '127.0.0.1/32', '0.0.0.0/0', '2001:db8::/32', '::/0', '::1/128'])(
    'when it is %s, then it is one',
    (text) => expect(isCidr(text)).toBe(true),
  );

  it.each([
    '',
    '203.0.113.0',
    '203.0.113.0/33',
    '203.0.113/24',
    '010.0.0.0/8',
    '::/129',
    '/8',
    'fe80::1%eth0/64',
    '10.0.0.0/8/8',
    'x/8',
  ])('when it is "%s", then it is none', (text) => expect(isCidr(text)).toBe(false));

  it.each([
    [[], undefined, true],
    [['10.0.0.0/8'], '10.1.2.3', true],
    [['10.0.0.0/8'], '::ffff:10.1.2.3', true],
    [['10.0.0.0/8'], '11.0.0.1', false],
    [['10.0.0.0/8', '2001:db8::/32'], '2001:db8::7', true],
    [['10.0.0.0/8', '2001:db8::/32'], '2001:db9::7', false],
    [['0.0.0.0/0'], '2001:db8::7', false],
    [['0.0.0.0/0'], undefined, false],
    [['0.0.0.0/0'], 'unknown', false],
  ])('when networks are %j, then an address of %s is within: %s', (cidrs, address, is) => {
    expect(isWithin(cidrs, address)).toBe(is);
  });
});
