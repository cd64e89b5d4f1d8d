import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { KeySeal } from './key-seal';

describe('key seal', () => {
  const seal = new KeySeal(randomBytes(32));

  it('when a key was sealed, then it opens again and shows nothing of itself', () => {
    const sealed = seal.seal('kid-1', 'the private key');
    expect(sealed.includes('private')).toBe(false);
    expect(seal.open('kid-1', sealed)).toBe('the private key');
    expect(seal.seal('kid-1', 'the private key').equals(sealed)).toBe(false);
  });

  it('when the encryption key, the key id or a byte differs, then it does not open and says which setting to look at', () => {
    const sealed = seal.seal('kid-1', 'the private key');
    const bent = Buffer.from(sealed);
    bent.writeUInt8(bent.readUInt8(bent.length - 1) ^ 1, bent.length - 1);
    expect(() => new KeySeal(randomBytes(32)).open('kid-1', sealed)).toThrow('KEY_ENCRYPTION_KEY');
    expect(() => seal.open('kid-2', sealed)).toThrow('kid-2');
    expect(() => seal.open('kid-1', bent)).toThrow('kid-1');
  });
});
