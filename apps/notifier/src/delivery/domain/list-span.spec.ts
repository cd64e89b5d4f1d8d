import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { spanOf, type DayCount } from './list-span';

describe('the days that hold a page', () => {
  it('when a page is taken from its days alone, then it is the page of the whole list', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 10 });
    fc.assert(
      fc.property(counts, fc.nat(40), fc.integer({ min: 1, max: 10 }), (each, offset, limit) => {
        const days: DayCount[] = each.map((count, at) => ({ day: String(99 - at), count }));
        const rows = days.flatMap(({ day, count }) =>
          Array.from({ length: count }, (_, at) => `${day}/${at}`),
        );
        const span = spanOf(days, { offset, limit });
        const found =
          span === undefined
            ? []
            : rows
                .filter((row) => row.slice(0, 2) <= span.newest && row.slice(0, 2) >= span.oldest)
                .slice(span.skip, span.skip + limit);
        expect(found).toEqual(rows.slice(offset, offset + limit));
      }),
    );
  });

  it('when a page lies far back, then the days before it are left out', () => {
    const days = [
      { day: '2026-01-03', count: 1_000 },
      { day: '2026-01-02', count: 1_000 },
      { day: '2026-01-01', count: 1_000 },
    ];
    expect(spanOf(days, { offset: 1_500, limit: 20 })).toEqual({
      newest: '2026-01-02',
      oldest: '2026-01-02',
      skip: 500,
    });
  });
});
