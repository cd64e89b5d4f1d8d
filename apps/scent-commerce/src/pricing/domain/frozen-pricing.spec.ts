import { describe, expect, it } from '@jest/globals';
import { explainOrder } from './explain-price';
import { priceFrozen, type FrozenPricing } from './frozen-pricing';
import { commissionVatRateOf } from './terms';

/** What an order of 2026 keeps: 33.35 off two of three lines, a partner that is registered for VAT. Orders like it are there for ever. */
const ORDER: FrozenPricing = {
  lines: [
    { variantId: 'a', quantity: 3, listPrice: '100.01', discountShare: '13.05', vatRate: '0.15' },
    { variantId: 'b', quantity: 7, listPrice: '66.67', discountShare: '20.30', vatRate: '0.15' },
    { variantId: 'c', quantity: 3, listPrice: '33.35', discountShare: '0.00', vatRate: '0' },
  ].map((line) => ({ ...line, commissionRate: '0.123456', isDiscounted: line.vatRate !== '0' })),
  discount: { code: 'CODE', discountType: 'FixedAmount', value: '33.35' },
  commissionVatRate: commissionVatRateOf(true),
};

describe('what an order was priced by (spec §17.2)', () => {
  it('when an order of 2026 is explained in any year, then it is in these words', () => {
    const { lines, totals } = explainOrder(priceFrozen(ORDER));
    const words = [...lines.map(({ steps }) => steps), totals].map((steps) =>
      steps.map(({ name, expression, unroundedResult, result }) =>
        [name, expression, unroundedResult, result].join(' = '),
      ),
    );
    expect(words).toEqual([
      [
        'listPrice = 100.01 = 100.01 = 100.01',
        'goodsBeforeDiscount = 100.01 × 3 = 300.03 = 300.03',
        'discountShare = 33.35 × 300.03 ÷ 766.72 = 13.050397146285 = 13.05',
        'lineTotal = 300.03 − 13.05 = 286.98 = 286.98',
        'unitAmount = 286.98 ÷ 3 = 95.6600 = 95.6600',
        'partnerCommission = 286.98 × 0.123456 = 35.42940288 = 35.43',
        'lineGoodsVatAmount = 286.98 × 0.15 = 43.047 = 43.05',
        'lineCommissionVatAmount = 35.43 × 0.15 = 5.3145 = 5.31',
      ],
      [
        'listPrice = 66.67 = 66.67 = 66.67',
        'goodsBeforeDiscount = 66.67 × 7 = 466.69 = 466.69',
        'discountShare = 33.35 × 466.69 ÷ 766.72 = 20.299602853715 = 20.30',
        'lineTotal = 466.69 − 20.30 = 446.39 = 446.39',
        'unitAmount = 446.39 ÷ 7 = 63.7700 = 63.7700',
        'partnerCommission = 446.39 × 0.123456 = 55.10952384 = 55.11',
        'lineGoodsVatAmount = 446.39 × 0.15 = 66.9585 = 66.96',
        'lineCommissionVatAmount = 55.11 × 0.15 = 8.2665 = 8.27',
      ],
      [
        'listPrice = 33.35 = 33.35 = 33.35',
        'goodsBeforeDiscount = 33.35 × 3 = 100.05 = 100.05',
        'discountShare = 0.00 = 0.00 = 0.00',
        'lineTotal = 100.05 − 0.00 = 100.05 = 100.05',
        'unitAmount = 100.05 ÷ 3 = 33.3500 = 33.3500',
        'partnerCommission = 100.05 × 0.123456 = 12.3517728 = 12.35',
        'lineGoodsVatAmount = 100.05 × 0 = 0.00 = 0.00',
        'lineCommissionVatAmount = 12.35 × 0.15 = 1.8525 = 1.85',
      ],
      [
        'discountedGoods = 300.03 + 466.69 = 766.72 = 766.72',
        'discountAmount = 13.05 + 20.30 + 0.00 = 33.35 = 33.35',
        'totalAmount = 286.98 + 446.39 + 100.05 = 833.42 = 833.42',
        'totalCommission = 35.43 + 55.11 + 12.35 = 102.89 = 102.89',
        'totalGoodsVatAmount = 43.05 + 66.96 + 0.00 = 110.01 = 110.01',
        'totalCommissionVatAmount = 5.31 + 8.27 + 1.85 = 15.43 = 15.43',
        'totalAmountWithVat = 833.42 + 110.01 = 943.43 = 943.43',
        'totalCommissionWithVat = 102.89 + 15.43 = 118.32 = 118.32',
      ],
    ]);
  });

  it('when its shares do not follow from anything that is kept, then they are taken as they are', () => {
    const lines = ORDER.lines.map((line, index) => ({
      ...line,
      discountShare: ['13.06', '20.29', '0.00'][index]!,
      isDiscounted: undefined,
    }));
    const { lines: priced, discount } = priceFrozen({ ...ORDER, lines });
    expect(priced.map(({ discountShare, goods }) => [discountShare.expression.text(), goods.text()])).toEqual(
      [
        ['13.06', '286.97'],
        ['20.29', '446.40'],
        ['0.00', '100.05'],
      ],
    );
    expect(discount?.amount.text()).toBe('33.35');
  });
});
