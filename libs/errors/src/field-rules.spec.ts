import { describe, expect, it } from '@jest/globals';
import { hasControlCharacter, isCidr, isEmailAddress, isFeedCursor, isPrintable } from './field-rules';

describe('rules of fields that edges and services share', () => {
  it.each(['203.0.113.0/24', '127.0.0.1/32', '0.0.0.0/0', '2001:db8::/32', '::/0', '::1/128'])(
    'when it is %s, then it is a network',
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
  ])('when it is "%s", then it is no network', (text) => expect(isCidr(text)).toBe(false));

  it('when text is printable, then its code points are counted', () => {
    const fit = ['a', ' a ', '😀'.repeat(3), 'a b'];
    expect(fit.filter((text) => isPrintable(text, 3))).toEqual(fit);
    const unfit = ['', '   ', 'abcd', 'a\nb', '\u0085', 'a\u0000', '😀'.repeat(4)];
    expect(unfit.filter((text) => isPrintable(text, 3))).toEqual([]);
    expect(['a', 'é', ' '].some(hasControlCharacter)).toBe(false);
    expect(['\t', 'a\r\n', '\u007f'].every(hasControlCharacter)).toBe(true);
  });

  it('when text is an e-mail address, then each of its labels has a character', () => {
    const fit = ['a@b.cd', 'billing+sa@acme.example.com', `${'a'.repeat(249)}@b.cd`];
    expect(fit.filter(isEmailAddress)).toEqual(fit);
    const unfit = [
      'nobody',
      'a@b',
      'a@b..c',
      'a@.b.c',
      'a b@c.de',
      'a@b.cd\u0001',
      `${'a'.repeat(250)}@b.cd`,
    ];
    expect(unfit.filter(isEmailAddress)).toEqual([]);
  });

  it('when text is 24 characters of base64url, then it has the form of a cursor', () => {
    expect(isFeedCursor('AQAGSHJ_3tZAo2Vt0mKXz9cL')).toBe(true);
    expect(['', 'abc', 'AQAGSHJ_3tZAo2Vt0mKXz9c=', 'AQAGSHJ_3tZAo2Vt0mKXz9cLA'].some(isFeedCursor)).toBe(
      false,
    );
  });
});
