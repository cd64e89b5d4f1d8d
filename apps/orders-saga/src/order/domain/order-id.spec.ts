import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { orderGlobalId, orderIdOf } from './order-id';

describe('orderGlobalId', () => {
  it('when ids differ, then their global ids differ and sort alike', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        const [a, b] = [orderGlobalId('TU', one), orderGlobalId('TU', other)];
        expect(a).toMatch(/^TU-[0-9A-HJKMNP-TV-Z]{26}$/);
        expect(a < b).toBe(one < other);
        expect(a === b).toBe(one === other);
        expect(orderIdOf(a)).toBe(one);
      }),
    );
  });

  it('when a text is no global id, then it stands for no order', () => {
    expect(orderIdOf('TU-7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
    for (const text of ['TU-8ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'T-7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'TU-NONE', '']) {
      expect(orderIdOf(text)).toBeUndefined();
    }
  });
});
