import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isUuid, orderGlobalId, orderIdOf } from './order-id';

describe('orderGlobalId', () => {
  it('when ids differ, then their global ids differ and sort alike', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, other) => {
        const [a, b] = [orderGlobalId('Topup', one), orderGlobalId('Topup', other)];
        expect(a).toMatch(/^TU-[0-9A-HJKMNP-TV-Z]{26}$/);
        expect(a < b).toBe(one < other);
        expect(a === b).toBe(one === other);
        expect(orderIdOf(a)).toBe(one);
      }),
    );
  });

  it('when a text is no global id, then it stands for no order', () => {
    expect(orderIdOf('TU-7ZZZZZZZZZZZZZZZZZZZZZZZZZ')).toBe('ffffffff-ffff-ffff-ffff-ffffffffffff');
    for (const text of ['TU-8ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'XX-7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'TU-NONE', '']) {
      expect(orderIdOf(text)).toBeUndefined();
    }
  });

  it('when a text is no uuid, then it is no id', () => {
    expect(isUuid('01a1fdb2-5635-762d-8a7f-8748b0eb5635')).toBe(true);
    expect(isUuid('01a1fdb2-5635-762d-8a7f-8748b0eb563')).toBe(false);
    expect(isUuid("' OR 1=1")).toBe(false);
  });
});
