import { describe, expect, it } from '@jest/globals';
import { decimal } from '@reseller/money';
import fc from 'fast-check';
import { BADGES, marketingOf, type MarketingFacts } from './marketing';

const NOW = new Date('2026-06-15T12:00:00Z');
const DAY = 86_400_000;
const daysAgo = (days: number, ms = 0): Date => new Date(NOW.getTime() - days * DAY - ms);

const plain: MarketingFacts = {
  catalogPrice: '100.00',
  available: 10,
  firstOfferedAt: daysAgo(400),
  isBestSeller: false,
  hasAvailableSample: false,
};
const of = (facts: Partial<MarketingFacts>) => marketingOf({ ...plain, ...facts }, NOW);

describe('the strike-through price (spec §5.5)', () => {
  it.each<[string, Partial<MarketingFacts>, string | undefined, string | undefined]>([
    ['nothing was lowered and no rrp is known', {}, undefined, undefined],
    ['it was lowered 30 days ago', { loweredFrom: '120.00', loweredAt: daysAgo(30) }, '120.00', '16.67'],
    [
      'that was a moment longer ago',
      { loweredFrom: '120.00', loweredAt: daysAgo(30, 1) },
      undefined,
      undefined,
    ],
    [
      'it has risen past the earlier price',
      { loweredFrom: '90.00', loweredAt: daysAgo(1) },
      undefined,
      undefined,
    ],
    ['it has risen back to it', { loweredFrom: '100.00', loweredAt: daysAgo(1) }, undefined, undefined],
    ['the rrp is 5 % higher', { rrp: '105.00' }, '105.00', '4.76'],
    ['the rrp is a halala less than that', { rrp: '104.99' }, undefined, undefined],
    ['it was lowered by a halala', { loweredFrom: '100.01', loweredAt: daysAgo(1) }, '100.01', '0.01'],
    [
      'both hold, then the earlier price goes first',
      { loweredFrom: '101.00', loweredAt: daysAgo(1), rrp: '200.00' },
      '101.00',
      '0.99',
    ],
    [
      'the lowering is out of date, then the rrp steps in',
      { loweredFrom: '300.00', loweredAt: daysAgo(31), rrp: '200.00' },
      '200.00',
      '50.00',
    ],
  ])('when %s, then it is as said', (_when, facts, compareAtPrice, discountPercent) => {
    expect(of(facts)).toMatchObject({ currentPrice: '100.00', compareAtPrice, discountPercent });
  });

  it('when there is one, then it lies above the price, and the percentage comes with it alone', () => {
    const price = fc
      .integer({ min: 1, max: 10_000_000 })
      .map((halalas) => decimal(halalas).dividedBy(100).toFixed(2));
    const maybe = fc.option(price, { nil: undefined });
    fc.assert(
      fc.property(
        price,
        maybe,
        maybe,
        fc.integer({ min: 0, max: 60 }),
        (catalogPrice, rrp, loweredFrom, days) => {
          const marketing = of({
            catalogPrice,
            rrp,
            loweredFrom,
            loweredAt: (loweredFrom && daysAgo(days)) || undefined,
          });
          expect(marketing.compareAtPrice === undefined).toBe(marketing.discountPercent === undefined);
          if (marketing.compareAtPrice === undefined || marketing.discountPercent === undefined) return;
          expect(decimal(marketing.compareAtPrice).greaterThan(catalogPrice)).toBe(true);
          expect([rrp, loweredFrom].map((known) => known && decimal(known).toFixed(2))).toContain(
            marketing.compareAtPrice,
          );
          expect(Number(marketing.discountPercent)).toBeGreaterThanOrEqual(0);
          expect(Number(marketing.discountPercent)).toBeLessThanOrEqual(100);
        },
      ),
    );
  });
});

describe('badges', () => {
  it.each<[string, Partial<MarketingFacts>, string[]]>([
    ['nothing is special', {}, []],
    ['5 are available', { available: 5 }, ['LIMITED']],
    ['6 are available', { available: 6 }, []],
    ['none is available', { available: 0 }, []],
    ['it came back 14 days ago', { restockedAt: daysAgo(14) }, ['BACK_IN_STOCK']],
    ['that was a moment longer ago', { restockedAt: daysAgo(14, 1) }, []],
    ['it came back and has sold out since', { restockedAt: daysAgo(1), available: 0 }, []],
    ['it is on offer for 30 days', { firstOfferedAt: daysAgo(30) }, ['NEW_ARRIVAL']],
    ['that is a moment longer', { firstOfferedAt: daysAgo(30, 1) }, []],
  ])('when %s, then the badges are right', (_when, facts, badges) => {
    expect(of(facts).badges).toEqual(badges);
  });

  it('when all are earned, then they come in their order', () => {
    const everything = {
      available: 1,
      restockedAt: NOW,
      firstOfferedAt: NOW,
      isBestSeller: true,
      hasAvailableSample: true,
    };
    expect(of(everything).badges).toEqual(BADGES);
  });
});
