import { describe, expect, it } from '@jest/globals';
import { nonZeroAmount } from './fields';

describe('an amount that an operator gives', () => {
  it.each([
    [1e13, 'must be less than 10,000,000,000,000'],
    [-1e13, 'must be more than -10,000,000,000,000'],
    [1e-7, 'must have at most two decimals'],
    [0.125, 'must have at most two decimals'],
    [0, 'must not be 0'],
  ])('when it is %d, then the fault that it has is named, and no other', (amount, fault) => {
    expect(nonZeroAmount.safeParse(amount).error?.issues.map(({ message }) => message)).toEqual([fault]);
  });

  it('when it is as large as one may be, then it is taken as it stands', () => {
    expect(nonZeroAmount.parse(-9_999_999_999_999.99)).toBe('-9999999999999.99');
  });
});
