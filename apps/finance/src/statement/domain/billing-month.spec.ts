import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextClosedMonth } from './billing-month';

const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('2090-01-01'), noInvalidDate: true });

describe('the months to be billed', () => {
  it('when they are taken one after another, then they are whole, touch each other, and end with the last closed one', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 200 }), (start, days) => {
        const now = new Date(start.getTime() + days * 86_400_000);
        let from = start;
        for (let month = nextClosedMonth(from, now); month; month = nextClosedMonth(from, now)) {
          expect(month.from).toEqual(from);
          expect(month.to > month.from && month.to <= now).toBe(true);
          expect(month.to.toISOString()).toMatch(/-01T00:00:00\.000Z$/);
          expect(new Date(month.to.getTime() - 1).getUTCMonth()).toBe(from.getUTCMonth());
          from = month.to;
        }
        const isSameMonth =
          from.getUTCMonth() === now.getUTCMonth() && from.getUTCFullYear() === now.getUTCFullYear();
        expect(isSameMonth).toBe(true);
      }),
    );
  });
});
