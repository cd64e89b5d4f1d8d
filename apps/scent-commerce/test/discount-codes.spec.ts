import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, type TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import type { StockLine } from '../src/checkout/checkout.repository';
import { deleteDiscountCode } from '../src/discount/delete-discount-code';
import { DiscountCodeRepository } from '../src/discount/discount-code.repository';
import type { DiscountCodeTerms } from '../src/discount/domain/discount-code';
import { giveBackRedemption } from '../src/discount/redemption.repository';
import { createDiscountCode, updateDiscountCode } from '../src/discount/save-discount-code';
import type { Owner } from '../src/owner';
import { createPrisma, createScentDatabase, newOwner, newVariants, ordersOf } from './scent-database';

let database: TestDatabase;
let codes: DiscountCodeRepository;
let orders: ReturnType<typeof ordersOf>;
beforeAll(async () => {
  database = await createScentDatabase();
  codes = new DiscountCodeRepository(createPrisma(database.servicePool), database.servicePool);
  orders = ordersOf(database.servicePool);
});
afterAll(() => database.drop());

const terms = (change: Partial<DiscountCodeTerms> = {}): DiscountCodeTerms => ({
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
  ...change,
});
const newCode = (owner: Owner, change: Partial<DiscountCodeTerms> = {}) =>
  createDiscountCode(codes, owner, { code: 'Summer-10', terms: terms(change) });
/** As the begin of an order's checkout takes it; Taken, or why not. */
const take = async (codeId: string, orderKey: string, customerRef?: string, lines: StockLine[] = []) => {
  const { outcome } = await orders.begin(orderKey, lines, { codeId, customerRef });
  return outcome === 'Begun' ? 'Taken' : outcome;
};
const count = (orderKey: string) => orders.commit(orderKey);
const free = (orderKey: string) => orders.cancel(orderKey);
const giveBack = (orderKey: string) => giveBackRedemption(database.servicePool, orderKey);
const keys = (length: number): string[] => Array.from({ length }, () => randomUUID());

describe('discount codes', () => {
  it('when one text is made many times at once, in any letter case, then one code stands', async () => {
    const owner = newOwner();
    const spelt = ['summer-10', 'SUMMER-10', 'Summer-10', 'sUMMER-10'];
    const outcomes = await Promise.all(
      spelt.map((code) => codeOf(createDiscountCode(codes, owner, { code, terms: terms() }))),
    );
    expect(outcomes.sort()).toEqual([
      'CONFLICT_DISCOUNT_CODE_EXISTS',
      'CONFLICT_DISCOUNT_CODE_EXISTS',
      'CONFLICT_DISCOUNT_CODE_EXISTS',
      'ok',
    ]);
    const listed = await codes.list(owner, undefined, undefined);
    expect(listed.codes.map(({ code }) => code)).toEqual(['SUMMER-10']);
    // Another environment and another partner have texts of their own.
    await newCode({ ...owner, environment: 'live' });
    await newCode(newOwner());
  });

  it('when scoped variants do not exist, then each is named at its path, before anything else', async () => {
    const [known = ''] = await newVariants(database.pool, [0]);
    const change = {
      productScope: 'VariantList' as const,
      scopedVariantIds: [randomUUID(), known, randomUUID()],
    };
    const faults = {
      code: 'VALIDATION_FAILED',
      details: { errors: [{ path: 'scopedVariantIds.0' }, { path: 'scopedVariantIds.2' }] },
    };
    await expect(newCode(newOwner(), change)).rejects.toMatchObject(faults);
    const unknown = { id: randomUUID(), terms: terms(change) };
    await expect(updateDiscountCode(codes, newOwner(), unknown)).rejects.toMatchObject(faults);
  });

  it('when a code is replaced, then all but its text and its uses are as given, and absent is null', async () => {
    const owner = newOwner();
    const [variant = ''] = await newVariants(database.pool, [0]);
    const first = await newCode(owner, {
      validFrom: new Date('2026-01-01T00:00:00.123Z'),
      validTo: new Date('2026-01-01T00:00:00.123Z'),
      totalUsageCap: 5,
      perCustomerCap: 1,
      minOrderValue: '0.00',
      productScope: 'VariantList',
      scopedVariantIds: [variant],
    });
    expect(first).toMatchObject({ lastModifiedAt: null, usageCount: 0, minOrderValue: '0.00' });
    expect(first.validFrom?.toISOString()).toBe('2026-01-01T00:00:00.123Z');
    const next = terms({ discountType: 'FixedAmount', value: '250.5', isActive: false });
    const replaced = await updateDiscountCode(codes, owner, { id: first.id, terms: next });
    expect(replaced).toEqual({ ...first, ...next, value: '250.50', lastModifiedAt: expect.any(Date) });
    expect(await codes.find(owner, first.id)).toEqual(replaced);
    const pages = await Promise.all(
      [true, false, undefined].map((active) => codes.list(owner, active, undefined)),
    );
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([0, 1, 1]);
  });

  it('when a percentage has up to four decimals, then it is kept in full, and priced by; and what the version before changes counts', async () => {
    const owner = newOwner();
    const stateOf = async () =>
      (await codes.findState(owner, { code: 'summer-10', customerRef: undefined }))?.code;
    const { id } = await newCode(owner, { value: '0.0001' });
    for (const [value, text] of [
      ['33.3333', '33.3333'],
      ['12.3450', '12.345'],
      ['12.34', '12.34'],
      ['99.9999', '99.9999'],
      ['0.001', '0.001'],
    ] as const) {
      const replaced = await updateDiscountCode(codes, owner, { id, terms: terms({ value }) });
      expect([replaced.value, (await codes.find(owner, id))?.value]).toEqual([text, text]);
      expect(await stateOf()).toEqual(replaced);
      expect((await codes.list(owner, undefined, undefined)).codes).toEqual([replaced]);
    }
    await database.pool.query('UPDATE discount_codes SET value = 20 WHERE id = $1', [id]);
    expect((await stateOf())?.value).toBe('20.00');
    expect(await codeOf(newCode(newOwner(), { value: '100.0001' }))).toBe('VALIDATION_FAILED');
  });

  it('when another partner or environment looks, then the code is not there', async () => {
    const owner = newOwner();
    const { id } = await newCode(owner);
    for (const other of [newOwner(), { ...owner, environment: 'live' as const }]) {
      expect(await codes.find(other, id)).toBeUndefined();
      expect(await codes.findState(other, { code: 'summer-10', customerRef: undefined })).toBeUndefined();
      expect(await codeOf(updateDiscountCode(codes, other, { id, terms: terms() }))).toBe(
        'NOT_FOUND_DISCOUNT_CODE',
      );
      expect(await codeOf(deleteDiscountCode(codes, other, id))).toBe('NOT_FOUND_DISCOUNT_CODE');
      expect((await codes.list(other, undefined, undefined)).totalCount).toBe(0);
    }
    expect((await codes.findState(owner, { code: 'sUmMeR-10', customerRef: undefined }))?.code.id).toBe(id);
  });

  it('when a code was redeemed, given back or is being redeemed, then it stays; freed or unused it goes', async () => {
    const owner = newOwner();
    const { id } = await newCode(owner);
    const [order = '', failed = ''] = keys(2);
    await take(id, failed);
    expect(await codeOf(deleteDiscountCode(codes, owner, id))).toBe('CONFLICT_DISCOUNT_CODE_REDEEMED');
    await free(failed);
    await take(id, order);
    await count(order);
    expect(await codeOf(deleteDiscountCode(codes, owner, id))).toBe('CONFLICT_DISCOUNT_CODE_REDEEMED');
    await giveBack(order);
    expect((await codes.find(owner, id))?.usageCount).toBe(0);
    expect(await codeOf(deleteDiscountCode(codes, owner, id))).toBe('CONFLICT_DISCOUNT_CODE_REDEEMED');

    const other = await createDiscountCode(codes, owner, { code: 'freed', terms: terms() });
    const [another = ''] = keys(1);
    await take(other.id, another);
    await free(another);
    expect(await deleteDiscountCode(codes, owner, other.id)).toEqual({ ...other, pendingCount: 0 });
    expect(await codeOf(deleteDiscountCode(codes, owner, other.id))).toBe('NOT_FOUND_DISCOUNT_CODE');
    expect(await take(other.id, randomUUID())).toBe('Unknown');
  });

  it('when deleting races with redeeming, then either the slot is had and the code stays, or it is gone', async () => {
    const owner = newOwner();
    for (let round = 0; round < 20; round += 1) {
      const { id } = await createDiscountCode(codes, owner, { code: `race-${round}`, terms: terms() });
      const [slot, deleted] = await Promise.all([
        take(id, randomUUID()),
        codeOf(deleteDiscountCode(codes, owner, id)),
      ]);
      expect([
        ['Taken', 'CONFLICT_DISCOUNT_CODE_REDEEMED'],
        ['Unknown', 'ok'],
      ]).toContainEqual([slot, deleted]);
    }
  });
});

describe('redemptions', () => {
  it('when fifty orders race for a cap of seven, then exactly seven have a slot, and freed slots go to others', async () => {
    const owner = newOwner();
    const { id } = await newCode(owner, { totalUsageCap: 7 });
    const first = keys(50);
    const outcomes = await Promise.all(first.map((order) => take(id, order)));
    expect(outcomes.filter((outcome) => outcome === 'Taken')).toHaveLength(7);
    expect(outcomes.filter((outcome) => outcome === 'UsageCapReached')).toHaveLength(43);
    const holders = first.filter((_order, index) => outcomes[index] === 'Taken');
    // Pending slots block others and are not counted yet.
    expect(await codes.find(owner, id)).toMatchObject({ usageCount: 0, pendingCount: 7 });

    const failed = holders.slice(0, 3);
    const placed = holders.slice(3);
    const late = keys(50);
    const [again] = await Promise.all([
      Promise.all(late.map((order) => take(id, order))),
      ...failed.map(free),
      ...placed.map(count),
      ...placed.map(count),
    ]);
    const more = late.filter((_order, index) => again[index] === 'Taken');
    expect(more.length).toBeLessThanOrEqual(3);
    expect(await codes.find(owner, id)).toMatchObject({ usageCount: 4, pendingCount: more.length });
    const rest = keys(10);
    const filled = await Promise.all(rest.map((order) => take(id, order)));
    expect(filled.filter((outcome) => outcome === 'Taken')).toHaveLength(3 - more.length);
  });

  it('when one customer’s orders race for a cap of one, then one has the slot; others are not in the way', async () => {
    const owner = newOwner();
    const { id } = await newCode(owner, { perCustomerCap: 1 });
    const mine = keys(25);
    const [outcomes, theirs] = await Promise.all([
      Promise.all(mine.map((order) => take(id, order, 'customer'))),
      Promise.all(keys(10).map((order, index) => take(id, order, `other ${index}`))),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'Taken')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'CustomerCapReached')).toHaveLength(24);
    expect(new Set(theirs)).toEqual(new Set(['Taken']));
    expect(await take(id, randomUUID())).toBe('CustomerRefRequired');
    expect((await codes.findState(owner, { code: 'summer-10', customerRef: 'customer' }))?.customerUses).toBe(
      1,
    );

    const holder = mine[outcomes.indexOf('Taken')] ?? '';
    await count(holder);
    await giveBack(holder);
    expect((await codes.findState(owner, { code: 'summer-10', customerRef: 'customer' }))?.customerUses).toBe(
      0,
    );
    expect(await take(id, randomUUID(), 'customer')).toBe('Taken');
    // Another code is another cap.
    const winter = { code: 'Winter-10', terms: terms({ perCustomerCap: 1 }) };
    const another = await createDiscountCode(codes, owner, winter);
    expect(await take(another.id, randomUUID(), 'customer')).toBe('Taken');
  });

  it('when a step is repeated, also at once, then it has its effect once; another move changes nothing', async () => {
    const owner = newOwner();
    const { id } = await newCode(owner, { totalUsageCap: 1 });
    const order = randomUUID();
    const counts = async () => {
      const code = await codes.find(owner, id);
      return [code?.usageCount, code?.pendingCount];
    };
    const five = [1, 2, 3, 4, 5];
    const taken = await Promise.all(five.map(() => take(id, order, 'c')));
    expect(taken.sort()).toEqual(['Known', 'Known', 'Known', 'Known', 'Taken']);
    expect(await counts()).toEqual([0, 1]);
    await giveBack(order);
    expect(await counts()).toEqual([0, 1]);
    await Promise.all(five.map(() => count(order)));
    expect(await counts()).toEqual([1, 0]);
    expect(await codeOf(free(order))).toBe('CONFLICT_ORDER_STATE');
    expect(await counts()).toEqual([1, 0]);
    await Promise.all(five.map(() => giveBack(order)));
    expect(await counts()).toEqual([0, 0]);
    expect(await take(id, order, 'c')).toBe('Known');
    // An order without a code has nothing to settle.
    await Promise.all([free, giveBack].map((settle) => settle(randomUUID())));
    expect(await counts()).toEqual([0, 0]);
  });

  it('when the order’s stock is short, then the slot was never taken', async () => {
    const { id } = await newCode(newOwner(), { totalUsageCap: 1 });
    const [variantId = ''] = await newVariants(database.pool, [1]);
    expect(await take(id, randomUUID(), undefined, [{ variantId, quantity: 2 }])).toBe('Short');
    expect(await take(id, randomUUID())).toBe('Taken');
  });
});
