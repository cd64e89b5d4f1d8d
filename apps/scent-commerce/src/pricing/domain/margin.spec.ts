import { describe, expect, it } from '@jest/globals';
import { decimal } from '@reseller/money';
import { assessMargin } from './margin';

const line = (goods: string, commission: string, unitCost: string, quantity = 1) => ({
  goods: decimal(goods),
  commission: decimal(commission),
  unitCost,
  quantity,
});

describe('assessMargin', () => {
  it.each([
    ['goods cover the cost, commission and the floor exactly', line('100.00', '10.00', '85.00'), undefined],
    ['a halala is missing to the floor', line('100.00', '10.01', '85.00'), 'BUSINESS_MARGIN_BELOW_FLOOR'],
    ['goods equal the cost', line('100.00', '0.00', '100.00'), 'BUSINESS_MARGIN_BELOW_FLOOR'],
    ['goods are a halala below the cost', line('99.99', '0.00', '100.00'), 'BUSINESS_PRICE_BELOW_COST'],
    [
      'many units earn their cost exactly',
      line('2997.00', '0.00', '3.00', 999),
      'BUSINESS_MARGIN_BELOW_FLOOR',
    ],
    [
      'many units are together a halala below their cost',
      line('2996.99', '0.00', '3.00', 999),
      'BUSINESS_PRICE_BELOW_COST',
    ],
    ['goods are zero with a cost', line('0.00', '0.00', '0.01'), 'BUSINESS_PRICE_BELOW_COST'],
    ['goods are zero without a cost', line('0.00', '0.00', '0.00'), undefined],
  ])('when %s, then %s', (_case, costed, outcome) => {
    expect(assessMargin([costed])).toBe(outcome);
  });

  it('when one line is thin and a later one below cost, then the cost goes first', () => {
    expect(assessMargin([line('100.00', '0.00', '99.00'), line('1.00', '0.00', '2.00')])).toBe(
      'BUSINESS_PRICE_BELOW_COST',
    );
  });
});
