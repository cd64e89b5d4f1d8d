import { describe, expect, it } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { addDays, firstIdOf, wholeDays } from './day-ids';

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

  it.each([
    ['2026-11-20T00:00:00Z', '2026-11-22T00:00:00Z', '2026-11-20', '2026-11-22'],
    ['2026-11-20T00:00:00.001Z', '2026-11-22T23:59:59.999Z', '2026-11-21', '2026-11-22'],
    ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', '2026-11-21', '2026-11-21'],
    ['0000-01-01T00:00:00Z', '1970-01-02T10:00:00Z', '1970-01-01', '1970-01-02'],
    ['9999-12-31T10:00:00Z', '9999-12-31T23:00:00Z', '9999-12-31', '9999-12-31'],
  ])(
    'when a time is from %s to %s, then its whole days are from %s and before %s',
    (from, to, first, end) => {
      expect(wholeDays(Date.parse(from), Date.parse(to))).toEqual([first, end]);
    },
  );

  it('when days are counted, then months and leap days are', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  });
});
