import { describe, expect, it } from '@jest/globals';
import { isWithin } from './networks';

describe('networks of a credential (spec §18.6)', () => {
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
