import { describe, expect, it } from '@jest/globals';
import { Decimal } from '@reseller/money';
import fc from 'fast-check';
import { explainCart } from '../../pricing/domain/explain-price';
import { priceCart } from '../../pricing/domain/price-cart';
import { fromLockedPricing, toLockedPricing } from './locked-pricing';

const rate = fc
  .integer({ min: 0, max: 1_000_000 })
  .map((units) => new Decimal(units).div(1_000_000).toFixed(6));
const lines = fc
  .array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 999 }),
      listPrice: fc
        .integer({ min: 0, max: 10_000_000 })
        .map((units) => new Decimal(units).div(100).toFixed(2)),
      taxClassification: fc.constantFrom('STANDARD' as const, 'ZERO' as const),
      brandCommissionRate: fc.option(rate),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((all) => all.map((line, index) => ({ variantId: `v${index}`, ...line })));

describe('locked pricing', () => {
  it('when prices are locked and read again through JSON, then they are those of a cart priced with the other VAT registration', () => {
    fc.assert(
      fc.property(
        lines,
        rate,
        fc.boolean(),
        fc.boolean(),
        fc.boolean(),
        (cart, defaultRate, then, now, isPercent) => {
          const discount = {
            code: 'CODE',
            discountType: isPercent ? ('Percent' as const) : ('FixedAmount' as const),
            value: isPercent ? '33.3333' : '33.33',
            productScope: 'All' as const,
            scopedVariantIds: [],
            minOrderValue: null,
          };
          const terms = { commission: { partnerRate: null, defaultRate }, discount };
          const locked = toLockedPricing(cart, priceCart(cart, { ...terms, partnerIsVatRegistered: then }));
          const stored = JSON.parse(JSON.stringify(locked)) as typeof locked;
          const priced = explainCart(priceCart(cart, { ...terms, partnerIsVatRegistered: now }));
          expect(explainCart(fromLockedPricing(stored, now))).toEqual(priced);
        },
      ),
      { endOnFailure: true },
    );
  });
});
