import { describe, expect, it } from '@jest/globals';
import { acceptedCodings, splitHeader } from './accepted-codings';

describe('a header that lists', () => {
  it('when there are spaces around its parts, then they are no part of them', () => {
    expect(splitHeader(' "a" ,\t"b", "c d"', ',')).toEqual(['"a"', '"b"', '"c d"']);
    expect([...acceptedCodings(' GZIP ; q=0.5 ,br ; q=0 ,, identity')]).toEqual(['gzip', '', 'identity']);
  });

  it('when it is mostly spaces, then it is read in one pass', () => {
    // In another form this took longer than a test may, and a caller without a token could send it.
    const spaces = ' '.repeat(200_000);
    expect([...acceptedCodings(`br${spaces}x`)]).toEqual([`br${spaces}x`]);
    expect(splitHeader(`"a"${spaces}x`, ',')).toHaveLength(1);
  });
});
