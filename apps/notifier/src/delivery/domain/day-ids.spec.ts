import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { addDays, firstIdOf } from './day-ids';

describe('the ids of a day', () => {
  it.each(['1970-01-01', '2026-01-15', '2026-11-22', '9999-12-31'])(
    'when something is made on %s, then its id lies between the first of that day and the first of the next',
    (day) => {
      const midnight = Date.parse(`${day}T00:00:00.000Z`);
      for (const msecs of [midnight, midnight + 86_399_999]) {
        const id = uuidv7({ msecs });
        expect(id >= firstIdOf(day) && id < firstIdOf(addDays(day, 1))).toBe(true);
      }
      expect(uuidv7({ msecs: midnight + 86_400_000 }) >= firstIdOf(addDays(day, 1))).toBe(true);
    },
  );

  it('when days are counted, then months and leap days are', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});
