import { describe, expect, it } from '@jest/globals';
import { Decimal } from '@reseller/money';
import fc from 'fast-check';
import { eligibleGoods } from './discount';
import { priceCart, type LineToPrice, type PricedLine } from './price-cart';
import type { DiscountTerms } from './terms';

const halalas = (max: number) =>
  fc.integer({ min: 0, max }).map((units) => new Decimal(units).div(100).toFixed(2));
const rate = fc.integer({ min: 0, max: 10_000 }).map((units) => new Decimal(units).div(10_000).toFixed(4));
const lines = fc
  .array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 999 }),
      listPrice: halalas(1_000_000),
      taxClassification: fc.constantFrom('STANDARD' as const, 'ZERO' as const),
      brandCommissionRate: fc.option(rate),
    }),
    { maxLength: 12 },
  )
  .map((all): LineToPrice[] => all.map((line, index) => ({ variantId: `v${index}`, ...line })));
const discount = fc
  .record({
    isPercent: fc.boolean(),
    percent: fc.integer({ min: 1, max: 10_000 }).map((units) => new Decimal(units).div(100).toFixed(2)),
    fixed: halalas(100_000_000),
    scoped: fc.option(fc.subarray(['v0', 'v1', 'v2', 'v3', 'v4', 'v5'])),
  })
  .map(({ isPercent, percent, fixed, scoped }): DiscountTerms => ({
    code: 'CODE',
    discountType: isPercent ? 'Percent' : 'FixedAmount',
    value: isPercent ? percent : fixed,
    productScope: scoped ? 'VariantList' : 'All',
    scopedVariantIds: scoped ?? [],
    minOrderValue: null,
  }));
const terms = fc.record(
  {
    commission: fc.record({ partnerRate: fc.option(rate), defaultRate: rate }),
    partnerIsVatRegistered: fc.boolean(),
    discount,
  },
  { requiredKeys: ['commission', 'partnerIsVatRegistered'] },
);

const figures = [
  'goods',
  'discountShare',
  'goodsVat',
  'totalWithVat',
  'commission',
  'commissionVat',
  'netAfterCommission',
] as const;
const sum = (of: PricedLine[], figure: (typeof figures)[number]): string =>
  of.reduce((total, line) => total.plus(line[figure].value), new Decimal(0)).toFixed(2);

describe('priceCart (spec §6.3, §6.7)', () => {
  it('when any cart is priced, then every figure is whole halalas, none but the net negative, and totals are sums of lines', () => {
    fc.assert(
      fc.property(lines, terms, (cart, by) => {
        const { lines: priced, totals, discount: taken } = priceCart(cart, by);
        for (const line of priced) {
          for (const figure of figures) {
            const { value } = line[figure];
            expect(value.decimalPlaces()).toBeLessThanOrEqual(2);
            if (figure !== 'netAfterCommission') expect(value.lessThan(0)).toBe(false);
          }
        }
        expect(totals.goods.text()).toBe(sum(priced, 'goods'));
        expect(totals.goodsVat.text()).toBe(sum(priced, 'goodsVat'));
        expect(totals.chargedWithVat.text()).toBe(sum(priced, 'totalWithVat'));
        expect(totals.netAfterCommission.text()).toBe(sum(priced, 'netAfterCommission'));
        const commission = new Decimal(sum(priced, 'commission')).plus(sum(priced, 'commissionVat'));
        expect(totals.commissionWithVat.text()).toBe(commission.toFixed(2));
        expect(taken?.amount.text() ?? '0.00').toBe(sum(priced, 'discountShare'));
      }),
    );
  });

  it('when a fixed amount is taken off, then the shares add up to it or to the eligible goods where they are less', () => {
    fc.assert(
      fc.property(lines, terms, discount, (cart, by, off) => {
        const fixed: DiscountTerms = { ...off, discountType: 'FixedAmount' };
        const gross = cart.map(({ variantId, listPrice, quantity }) => ({
          variantId,
          gross: new Decimal(listPrice).times(quantity),
        }));
        const { goods } = eligibleGoods(fixed, gross);
        const { discount: taken } = priceCart(cart, { ...by, discount: fixed });
        expect(taken?.amount.text()).toBe(Decimal.min(fixed.value, goods).toFixed(2));
      }),
    );
  });

  it('when the lines come in another order, then a percentage or no discount prices each the same, and a fixed amount no line by more than a halala', () => {
    const shuffled = lines.chain((cart) =>
      fc.tuple(fc.constant(cart), fc.shuffledSubarray(cart, { minLength: cart.length })),
    );
    fc.assert(
      fc.property(shuffled, terms, ([cart, other], by) => {
        const before = priceCart(cart, by);
        const after = new Map(priceCart(other, by).lines.map((line) => [line.basis.variantId, line]));
        const most = by.discount?.discountType === 'FixedAmount' ? 0.01 : 0;
        for (const line of before.lines) {
          const goods = after.get(line.basis.variantId)?.goods.value ?? Number.NaN;
          expect(line.goods.value.minus(goods).abs().lessThanOrEqualTo(most)).toBe(true);
        }
        expect(sum([...after.values()], 'goods')).toBe(before.totals.goods.text());
      }),
    );
  });

  it('when the partner is registered for VAT or not, then only the commission’s VAT and what follows from it differ', () => {
    fc.assert(
      fc.property(lines, terms, (cart, by) => {
        const [yes, no] = [true, false].map((partnerIsVatRegistered) =>
          priceCart(cart, { ...by, partnerIsVatRegistered }).lines.map((line) =>
            figures.slice(0, 5).map((figure) => line[figure].text()),
          ),
        );
        expect(yes).toEqual(no);
      }),
    );
  });

  const line = (more: Partial<LineToPrice>): LineToPrice => ({
    variantId: 'v0',
    quantity: 1,
    listPrice: '100.00',
    taxClassification: 'STANDARD',
    brandCommissionRate: null,
    ...more,
  });
  const plain = { commission: { partnerRate: null, defaultRate: '0.10' }, partnerIsVatRegistered: true };
  const off = (more: Partial<DiscountTerms>): DiscountTerms => ({
    code: 'CODE',
    discountType: 'FixedAmount',
    value: '10.00',
    productScope: 'All',
    scopedVariantIds: [],
    minOrderValue: null,
    ...more,
  });
  const figuresOf = (priced: PricedLine[], figure: (typeof figures)[number]): string[] =>
    priced.map((one) => one[figure].text());

  it('when a line is priced, then VAT, commission and its VAT are each rounded half away from zero', () => {
    const { lines: priced } = priceCart([line({ quantity: 3, listPrice: '33.35' })], plain);
    // 100.05: VAT 15.0075, commission 10.005, its VAT 15% of the rounded 10.01 = 1.5015.
    expect(figures.map((figure) => figuresOf(priced, figure)[0])).toEqual([
      '100.05',
      '0.00',
      '15.01',
      '115.06',
      '10.01',
      '1.50',
      '103.55',
    ]);
  });

  it('when a commission is rounded, then its VAT is of the rounded one', () => {
    // 10% of 0.34 is 0.034: the VAT of 0.03 is 0.0045, that of 0.034 would be 0.0051.
    const { lines: priced } = priceCart([line({ listPrice: '0.34' })], plain);
    expect([figuresOf(priced, 'commission'), figuresOf(priced, 'commissionVat')]).toEqual([
      ['0.03'],
      ['0.00'],
    ]);
  });

  it.each([
    ['0.2', '0.3', '20.00'],
    ['0', '0.3', '0.00'],
    [null, '0.3', '30.00'],
    [null, '0', '0.00'],
    [null, null, '10.00'],
  ])(
    'when the partner’s rate is %s and the brand’s %s, then the commission is %s',
    (own, brand, commission) => {
      const by = { ...plain, commission: { partnerRate: own, defaultRate: '0.10' } };
      const { lines: priced } = priceCart([line({ brandCommissionRate: brand })], by);
      expect(figuresOf(priced, 'commission')).toEqual([commission]);
    },
  );

  it('when equal lines cannot share a fixed amount evenly, then the earlier ones take the halalas left over', () => {
    const cart = ['a', 'b', 'c'].map((variantId) => line({ variantId }));
    const { lines: priced } = priceCart(cart, { ...plain, discount: off({ value: '0.05' }) });
    expect(figuresOf(priced, 'discountShare')).toEqual(['0.02', '0.02', '0.01']);
  });

  it('when a code is for some variants, then the others keep their goods', () => {
    const cart = ['a', 'b', 'c'].map((variantId) => line({ variantId, listPrice: '0.15' }));
    const scope = { productScope: 'VariantList', scopedVariantIds: ['b', 'c', 'x'] } as const;
    const percent = off({ ...scope, discountType: 'Percent', value: '50' });
    const half = priceCart(cart, { ...plain, discount: percent });
    expect(figuresOf(half.lines, 'goods')).toEqual(['0.15', '0.07', '0.07']);
    expect(half.discount?.amount.text()).toBe('0.16');
    const all = priceCart(cart, { ...plain, discount: off({ ...scope, value: '1000.00' }) });
    expect(figuresOf(all.lines, 'goods')).toEqual(['0.15', '0.00', '0.00']);
  });

  it('when a variant is zero-rated, then its goods carry no VAT but its commission does', () => {
    const { lines: priced } = priceCart([line({ taxClassification: 'ZERO' })], plain);
    expect([figuresOf(priced, 'goodsVat'), figuresOf(priced, 'commissionVat')]).toEqual([['0.00'], ['1.50']]);
  });
});
