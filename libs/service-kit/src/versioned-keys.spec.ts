import { describe, expect, it } from '@jest/globals';
import { envHashKeys, envSealingKeys } from './versioned-keys';

const [one, two] = ['ab'.repeat(32), 'cd'.repeat(32)];

describe('keys with versions', () => {
  it('when each has an id, then they keep their order', () => {
    expect(envHashKeys().parse(`b:${two}, a:${one}`)).toEqual([
      { id: 'b', key: two },
      { id: 'a', key: one },
    ]);
    expect(envSealingKeys().parse(`b:${two},a:${one}`)).toEqual([
      { id: 'b', key: Buffer.from(two, 'hex') },
      { id: 'a', key: Buffer.from(one, 'hex') },
    ]);
  });

  it('when a single one has no id, then it is key 0, where that is allowed', () => {
    expect(envHashKeys().parse(one)).toEqual([{ id: '0', key: one }]);
    expect(envSealingKeys({ bare: true }).parse(one)).toEqual([{ id: '0', key: Buffer.from(one, 'hex') }]);
    expect(envSealingKeys().safeParse(one).success).toBe(false);
  });

  it.each(['', 'short', `a:short`, `a:${one},`, `a:${one},a:${two}`, `:${one}`, `a b:${one}`])(
    'when they are %j, then they are refused',
    (text) => {
      expect(envHashKeys().safeParse(text).success).toBe(false);
      expect(envSealingKeys({ bare: true }).safeParse(text).success).toBe(false);
    },
  );
});
