import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mismatchedFields } from './order';

describe('mismatchedFields', () => {
  it('when two bodies are compared, then exactly the fields with other values are named, absent being null', () => {
    const body = fc.dictionary(
      fc.constantFrom('amount', 'phoneNumber', 'sagaId'),
      fc.option(fc.constantFrom('1', '2')),
    );
    fc.assert(
      fc.property(body, body, (one, other) => {
        const names = mismatchedFields(one, other);
        for (const name of ['amount', 'phoneNumber', 'sagaId']) {
          expect(names.includes(name)).toBe((one[name] ?? null) !== (other[name] ?? null));
        }
        expect(mismatchedFields(other, one)).toEqual(names);
        expect(mismatchedFields(one, { ...one })).toEqual([]);
      }),
    );
  });
});
