import { describe, expect, it } from '@jest/globals';
import { lowestOf, type LimitSetting } from './spending-limits';

const NONE = { maxOrderAmount: null, dailySpend: null, dailyOrdersPerPhone: null };
const setAt = new Date(0);
const operator: LimitSetting = { ...NONE, setter: 'operator', setAt };
const ancestor = (ancestorId: string): LimitSetting => ({ ...NONE, setter: { ancestorId }, setAt });

describe('limits on spending', () => {
  it('when nobody sets any, then none holds', () => {
    expect(lowestOf([])).toEqual(NONE);
    expect(lowestOf([operator, ancestor('a')])).toEqual(NONE);
  });

  it('when several set them, then of each the lowest holds, as a number and not as a text', () => {
    const limits = lowestOf([
      { ...operator, maxOrderAmount: '100.00', dailyOrdersPerPhone: 10 },
      { ...ancestor('a'), maxOrderAmount: '99.99', dailySpend: '5000.00', dailyOrdersPerPhone: 9 },
      { ...ancestor('b'), maxOrderAmount: '250.00', dailySpend: '1000.00' },
    ]);
    expect(limits).toEqual({
      maxOrderAmount: { limit: '99.99', setter: { ancestorId: 'a' } },
      dailySpend: { limit: '1000.00', setter: { ancestorId: 'b' } },
      dailyOrdersPerPhone: { limit: 9, setter: { ancestorId: 'a' } },
    });
  });

  it('when a limit is zero, then it holds as one', () => {
    const limits = lowestOf([
      { ...operator, dailySpend: '10.00', dailyOrdersPerPhone: 0 },
      { ...ancestor('a'), dailySpend: '0.00', dailyOrdersPerPhone: 3 },
    ]);
    expect(limits.dailySpend).toEqual({ limit: '0.00', setter: { ancestorId: 'a' } });
    expect(limits.dailyOrdersPerPhone).toEqual({ limit: 0, setter: 'operator' });
  });

  it('when two set the same, then it is the one given first', () => {
    const limits = lowestOf([
      { ...operator, maxOrderAmount: '50.00' },
      { ...ancestor('a'), maxOrderAmount: '50.00' },
    ]);
    expect(limits.maxOrderAmount?.setter).toBe('operator');
  });
});
