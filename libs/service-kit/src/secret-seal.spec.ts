import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { SecretSeal, type SealingKey } from './secret-seal';

const key = (id: string): SealingKey => ({ id, key: randomBytes(32) });
const [one, two] = [key('one'), key('two')];

describe('SecretSeal', () => {
  it('when a secret is sealed, then it opens for its own row only', () => {
    const seal = new SecretSeal('KEYS', [one]);
    const secret = 'whsec_secret';
    const sealed = seal.seal('a', secret);
    expect(seal.open('a', sealed)).toBe(secret);
    expect(() => seal.open('b', sealed)).toThrow('does not open');
  });

  it('when the same secret is sealed twice, then nobody sees that it is the same', () => {
    const seal = new SecretSeal('KEYS', [one]);
    expect(seal.seal('a', 'whsec_x').ciphertext).not.toEqual(seal.seal('a', 'whsec_x').ciphertext);
  });

  it('when any byte is changed, then it does not open', () => {
    const seal = new SecretSeal('KEYS', [one]);
    const { ciphertext, keyId } = seal.seal('a', 'whsec_secret');
    for (let at = 0; at < ciphertext.length; at += 1) {
      const changed = Buffer.from(ciphertext);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => seal.open('a', { ciphertext: changed, keyId })).toThrow('does not open');
    }
    expect(() => seal.open('a', { ciphertext: ciphertext.subarray(0, 10), keyId })).toThrow('does not open');
  });

  it('when there are several keys, then the first seals and each opens', () => {
    const old = new SecretSeal('KEYS', [two]).seal('a', 'whsec_x');
    const seal = new SecretSeal('KEYS', [one, two]);
    expect(seal.open('a', old)).toBe('whsec_x');
    expect(seal.seal('a', 'whsec_y').keyId).toBe('one');
    expect(() => new SecretSeal('KEYS', [one]).open('a', old)).toThrow('KEYS has no key two');
  });
});
