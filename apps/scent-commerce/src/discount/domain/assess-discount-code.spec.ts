import { describe, expect, it } from '@jest/globals';
import { decimal } from '@reseller/money';
import {
  assessDiscountCode,
  DISCOUNT_REFUSALS,
  type DiscountCodeState,
  type DiscountTarget,
} from './assess-discount-code';
import { storedForm, type DiscountCodeRecord } from './discount-code';

const now = new Date('2026-05-01T12:00:00.000Z');
const before = new Date(now.getTime() - 1);
const after = new Date(now.getTime() + 1);

type Change = Partial<DiscountCodeRecord> & { customerUses?: number };

function state({ customerUses = 0, ...change }: Change): DiscountCodeState {
  const code: DiscountCodeRecord = {
    id: 'id',
    partnerId: 'partner',
    code: 'CODE',
    discountType: 'Percent',
    value: '10.00',
    validFrom: null,
    validTo: null,
    isActive: true,
    totalUsageCap: null,
    perCustomerCap: null,
    productScope: 'All',
    scopedVariantIds: [],
    minOrderValue: null,
    usageCount: 0,
    pendingCount: 0,
    createdAt: now,
    lastModifiedAt: null,
    ...change,
  };
  return { code, customerUses, now };
}

const cart = (...lines: [string, string][]): DiscountTarget => ({
  customerRef: 'customer',
  lines: lines.map(([variantId, gross]) => ({ variantId, gross: decimal(gross) })),
});
const oneLine = cart(['a', '100.00']);
const withoutCustomer = { ...oneLine, customerRef: undefined };
const scoped = { productScope: 'VariantList' as const, scopedVariantIds: ['a', 'b'] };

describe('assessDiscountCode', () => {
  it.each<[string, Change, DiscountTarget, string | undefined]>([
    ['nothing is against it', {}, oneLine, undefined],
    ['it is inactive', { isActive: false }, oneLine, 'Inactive'],
    ['it starts a moment later', { validFrom: after }, oneLine, 'NotStarted'],
    ['it starts now', { validFrom: now }, oneLine, undefined],
    ['it ended a moment ago', { validTo: before }, oneLine, 'Expired'],
    ['it ends now', { validTo: now }, oneLine, undefined],
    ['it starts and ends now', { validFrom: now, validTo: now }, oneLine, undefined],
    ['its last use is left', { totalUsageCap: 3, usageCount: 1, pendingCount: 1 }, oneLine, undefined],
    ['all uses are taken', { totalUsageCap: 3, usageCount: 3 }, oneLine, 'UsageCapReached'],
    [
      'pending slots take the rest',
      { totalUsageCap: 3, usageCount: 1, pendingCount: 2 },
      oneLine,
      'UsageCapReached',
    ],
    ['the cap was lowered below its uses', { totalUsageCap: 1, usageCount: 5 }, oneLine, 'UsageCapReached'],
    ['the customer used it', { perCustomerCap: 1, customerUses: 1 }, oneLine, 'CustomerCapReached'],
    ['another customer used it', { perCustomerCap: 1, usageCount: 1 }, oneLine, undefined],
    ['the customer used it, but there is no such cap', { customerUses: 4 }, oneLine, undefined],
    ['it needs a customer', { perCustomerCap: 1 }, withoutCustomer, 'CustomerRefRequired'],
    ['it needs no customer', {}, withoutCustomer, undefined],
    ['the goods are a halala short', { minOrderValue: '100.01' }, oneLine, 'BelowMinimumOrder'],
    ['the goods are just enough', { minOrderValue: '100.00' }, oneLine, undefined],
    [
      'other lines do not help to the minimum',
      { ...scoped, minOrderValue: '150.00' },
      cart(['a', '100.00'], ['c', '100.00']),
      'BelowMinimumOrder',
    ],
    [
      'eligible lines add up to the minimum',
      { ...scoped, minOrderValue: '150.00' },
      cart(['a', '100.00'], ['b', '50.00']),
      undefined,
    ],
    ['no line is eligible', scoped, cart(['c', '100.00']), 'NoEligibleLines'],
    ['the cart is empty', {}, cart(), 'NoEligibleLines'],
    ['the cart is empty and the minimum nothing', { minOrderValue: '0.00' }, cart(), 'NoEligibleLines'],
    ['the cart is empty and there is a minimum', { minOrderValue: '0.01' }, cart(), 'BelowMinimumOrder'],
  ])('when %s, then that is the result', (_what, change, target, reason) => {
    expect(assessDiscountCode(state(change), target)).toBe(reason);
  });

  it('when there is no such code, then it is Unknown', () => {
    expect(assessDiscountCode(undefined, oneLine)).toBe('Unknown');
  });

  it('when several reasons hold, then the first of the list is returned', () => {
    // Each change takes away the reason before it and leaves all that follow.
    const everything: Change = {
      isActive: false,
      validFrom: after,
      validTo: before,
      totalUsageCap: 1,
      usageCount: 1,
      perCustomerCap: 1,
      customerUses: 1,
      minOrderValue: '1000.00',
      ...scoped,
    };
    const steps: [Change, DiscountTarget][] = [
      [{}, cart(['c', '1.00'])],
      [{ isActive: true }, cart(['c', '1.00'])],
      [{ validFrom: null }, cart(['c', '1.00'])],
      [{ validTo: null }, cart(['c', '1.00'])],
      [{ totalUsageCap: 2 }, cart(['c', '1.00'])],
      [{}, { ...cart(['c', '1.00']), customerRef: undefined }],
      [{ perCustomerCap: null }, cart(['c', '1.00'])],
      [{ minOrderValue: null }, cart(['c', '1.00'])],
    ];
    let change = everything;
    const reasons = steps.map(([next, target]) => {
      change = { ...change, ...next };
      return assessDiscountCode(state(change), target);
    });
    expect(['Unknown', ...reasons]).toEqual([...DISCOUNT_REFUSALS]);
  });
});

describe('storedForm', () => {
  it.each([
    ['summer-25_x', 'SUMMER-25_X'],
    ['abc', 'ABC'],
    ['a'.repeat(40), 'A'.repeat(40)],
    ['ab', undefined],
    ['a'.repeat(41), undefined],
    ['straße', undefined],
    ['sıx', undefined],
    ['a b c', undefined],
    ['abc\n', undefined],
    ['', undefined],
  ])('when a code is sent as %j, then it is looked for as %j', (sent, stored) => {
    expect(storedForm(sent)).toBe(stored);
  });
});
