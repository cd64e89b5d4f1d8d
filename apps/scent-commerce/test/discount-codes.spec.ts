import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { withTransaction } from '@reseller/database';
import type { TestDatabase } from '@reseller/testing';
import { randomUUID } from 'node:crypto';
import { deleteDiscountCode } from '../src/discount/delete-discount-code';
import { DiscountCodeRepository } from '../src/discount/discount-code.repository';
import type { DiscountCodeTerms } from '../src/discount/domain/discount-code';
import {
  countRedemption,
  freeRedemptionSlot,
  giveBackRedemption,
  takeRedemptionSlot,
} from '../src/discount/redemption.repository';
import { createDiscountCode, updateDiscountCode } from '../src/discount/save-discount-code';
import type { PartnerScope } from '../src/partner-scope';
import { createPrisma, createShopDatabase, newScope, newVariants } from './shop-database';

let database: TestDatabase;
let codes: DiscountCodeRepository;
beforeAll(async () => {
  database = await createShopDatabase();
  codes = new DiscountCodeRepository(createPrisma(database.pool), database.pool);
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
const newCode = (scope: PartnerScope, change: Partial<DiscountCodeTerms> = {}) =>
  createDiscountCode(codes, scope, { code: 'Summer-10', terms: terms(change) });
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'ok',
    (error: { code?: unknown }) => error.code,
  );
const take = (codeId: string, orderKey: string, customerRef?: string) =>
  withTransaction(database.pool, (tx) => takeRedemptionSlot(tx, { orderKey, codeId, customerRef }));
const count = (orderKey: string) => withTransaction(database.pool, (tx) => countRedemption(tx, orderKey));
const free = (orderKey: string) => withTransaction(database.pool, (tx) => freeRedemptionSlot(tx, orderKey));
const giveBack = (orderKey: string) =>
  withTransaction(database.pool, (tx) => giveBackRedemption(tx, orderKey));
const keys = (length: number): string[] => Array.from({ length }, () => randomUUID());

describe('discount codes', () => {
  it('when one text is made many times at once, in any letter case, then one code stands', async () => {
    const scope = newScope();
    const spelt = ['summer-10', 'SUMMER-10', 'Summer-10', 'sUMMER-10'];
    const outcomes = await Promise.all(
      spelt.map((code) => codeOf(createDiscountCode(codes, scope, { code, terms: terms() }))),
    );
    expect(outcomes.sort()).toEqual([
      'CONFLICT_DISCOUNT_CODE_EXISTS',
      'CONFLICT_DISCOUNT_CODE_EXISTS',
      'CONFLICT_DISCOUNT_CODE_EXISTS',
      'ok',
    ]);
    const listed = await codes.list(scope, undefined, undefined);
    expect(listed.codes.map(({ code }) => code)).toEqual(['SUMMER-10']);
    // Another environment and another partner have texts of their own.
    await newCode({ ...scope, environment: 'live' });
    await newCode(newScope());
  });

  it('when scoped variants do not exist, then each is told at its path, before anything else', async () => {
    const [known = ''] = await newVariants(database.pool, [0]);
    const change = {
      productScope: 'VariantList' as const,
      scopedVariantIds: [randomUUID(), known, randomUUID()],
    };
    const faults = {
      code: 'VALIDATION_FAILED',
      details: { errors: [{ path: 'scopedVariantIds.0' }, { path: 'scopedVariantIds.2' }] },
    };
    await expect(newCode(newScope(), change)).rejects.toMatchObject(faults);
    const unknown = { id: randomUUID(), terms: terms(change) };
    await expect(updateDiscountCode(codes, newScope(), unknown)).rejects.toMatchObject(faults);
  });

  it('when a code is replaced, then all but its text and its uses are as given, and absent is null', async () => {
    const scope = newScope();
    const [variant = ''] = await newVariants(database.pool, [0]);
    const first = await newCode(scope, {
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
    const replaced = await updateDiscountCode(codes, scope, { id: first.id, terms: next });
    expect(replaced).toEqual({ ...first, ...next, value: '250.50', lastModifiedAt: expect.any(Date) });
    expect(await codes.find(scope, first.id)).toEqual(replaced);
    const pages = await Promise.all(
      [true, false, undefined].map((active) => codes.list(scope, active, undefined)),
    );
    expect(pages.map(({ totalCount }) => totalCount)).toEqual([0, 1, 1]);
  });

  it('when another partner or environment asks, then the code is not there', async () => {
    const scope = newScope();
    const { id } = await newCode(scope);
    for (const other of [newScope(), { ...scope, environment: 'live' as const }]) {
      expect(await codes.find(other, id)).toBeUndefined();
      expect(await codes.findState(other, 'summer-10', undefined)).toBeUndefined();
      expect(await codeOf(updateDiscountCode(codes, other, { id, terms: terms() }))).toBe(
        'NOT_FOUND_DISCOUNT_CODE',
      );
      expect(await codeOf(deleteDiscountCode(codes, other, id))).toBe('NOT_FOUND_DISCOUNT_CODE');
      expect((await codes.list(other, undefined, undefined)).totalCount).toBe(0);
    }
    expect((await codes.findState(scope, 'sUmMeR-10', undefined))?.code.id).toBe(id);
  });

  it('when a code was redeemed, given back or is being redeemed, then it stays; freed or unused it goes', async () => {
    const scope = newScope();
    const { id } = await newCode(scope);
    const [order = '', failed = ''] = keys(2);
    await take(id, failed);
    expect(await codeOf(deleteDiscountCode(codes, scope, id))).toBe('CONFLICT_DISCOUNT_CODE_REDEEMED');
    await free(failed);
    await take(id, order);
    await count(order);
    expect(await codeOf(deleteDiscountCode(codes, scope, id))).toBe('CONFLICT_DISCOUNT_CODE_REDEEMED');
    await giveBack(order);
    expect((await codes.find(scope, id))?.usageCount).toBe(0);
    expect(await codeOf(deleteDiscountCode(codes, scope, id))).toBe('CONFLICT_DISCOUNT_CODE_REDEEMED');

    const other = await createDiscountCode(codes, scope, { code: 'freed', terms: terms() });
    await take(other.id, failed);
    await free(failed);
    expect(await deleteDiscountCode(codes, scope, other.id)).toEqual({ ...other, pendingCount: 0 });
    expect(await codeOf(deleteDiscountCode(codes, scope, other.id))).toBe('NOT_FOUND_DISCOUNT_CODE');
    expect(await take(other.id, randomUUID())).toBe('Unknown');
  });

  it('when deleting races with redeeming, then either the slot is had and the code stays, or it is gone', async () => {
    const scope = newScope();
    for (let round = 0; round < 20; round += 1) {
      const { id } = await createDiscountCode(codes, scope, { code: `race-${round}`, terms: terms() });
      const [slot, deleted] = await Promise.all([
        take(id, randomUUID()),
        codeOf(deleteDiscountCode(codes, scope, id)),
      ]);
      expect([
        [undefined, 'CONFLICT_DISCOUNT_CODE_REDEEMED'],
        ['Unknown', 'ok'],
      ]).toContainEqual([slot, deleted]);
    }
  });
});

describe('redemptions', () => {
  it('when fifty orders race for a cap of seven, then exactly seven have a slot, and freed slots go to others', async () => {
    const scope = newScope();
    const { id } = await newCode(scope, { totalUsageCap: 7 });
    const orders = keys(50);
    const outcomes = await Promise.all(orders.map((order) => take(id, order)));
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(7);
    expect(outcomes.filter((outcome) => outcome === 'UsageCapReached')).toHaveLength(43);
    const holders = orders.filter((_order, index) => outcomes[index] === undefined);
    // Pending slots block others and are not counted yet.
    expect(await codes.find(scope, id)).toMatchObject({ usageCount: 0, pendingCount: 7 });

    const failed = holders.slice(0, 3);
    const placed = holders.slice(3);
    const late = keys(50);
    const [again] = await Promise.all([
      Promise.all(late.map((order) => take(id, order))),
      ...failed.map(free),
      ...placed.map(count),
      ...placed.map(count),
    ]);
    const more = late.filter((_order, index) => again[index] === undefined);
    expect(more.length).toBeLessThanOrEqual(3);
    expect(await codes.find(scope, id)).toMatchObject({ usageCount: 4, pendingCount: more.length });
    const rest = keys(10);
    const filled = await Promise.all(rest.map((order) => take(id, order)));
    expect(filled.filter((outcome) => outcome === undefined)).toHaveLength(3 - more.length);
  });

  it('when one customer’s orders race for a cap of one, then one has the slot; others are not in the way', async () => {
    const scope = newScope();
    const { id } = await newCode(scope, { perCustomerCap: 1 });
    const mine = keys(25);
    const [outcomes, theirs] = await Promise.all([
      Promise.all(mine.map((order) => take(id, order, 'customer'))),
      Promise.all(keys(10).map((order, index) => take(id, order, `other ${index}`))),
    ]);
    expect(outcomes.filter((outcome) => outcome === undefined)).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'CustomerCapReached')).toHaveLength(24);
    expect(new Set(theirs)).toEqual(new Set([undefined]));
    expect(await take(id, randomUUID())).toBe('CustomerRefRequired');
    expect((await codes.findState(scope, 'summer-10', 'customer'))?.customerUses).toBe(1);

    const holder = mine[outcomes.indexOf(undefined)] ?? '';
    await count(holder);
    await giveBack(holder);
    expect((await codes.findState(scope, 'summer-10', 'customer'))?.customerUses).toBe(0);
    expect(await take(id, randomUUID(), 'customer')).toBeUndefined();
  });

  it('when a step is repeated, also at once, then it has its effect once; another move is refused', async () => {
    const scope = newScope();
    const { id } = await newCode(scope, { totalUsageCap: 1 });
    const order = randomUUID();
    const five = [1, 2, 3, 4, 5];
    await Promise.all(five.map(() => take(id, order, 'c').catch((error: unknown) => String(error))));
    expect(await take(id, order, 'c')).toBeUndefined();
    expect(await codes.find(scope, id)).toMatchObject({ usageCount: 0, pendingCount: 1 });
    expect(await codeOf(giveBack(order))).toBe('CONFLICT_ORDER_STATE');
    await Promise.all(five.map(() => count(order)));
    expect(await codes.find(scope, id)).toMatchObject({ usageCount: 1, pendingCount: 0 });
    expect(await codeOf(free(order))).toBe('CONFLICT_ORDER_STATE');
    await Promise.all(five.map(() => giveBack(order)));
    expect(await codes.find(scope, id)).toMatchObject({ usageCount: 0, pendingCount: 0 });
    expect(await codeOf(take(id, order, 'c'))).toBe('CONFLICT_ORDER_STATE');
    // An order without a code has nothing to settle.
    await Promise.all([count, free, giveBack].map((settle) => settle(randomUUID())));
  });

  it('when the caller’s transaction fails, then the slot was never taken', async () => {
    const scope = newScope();
    const { id } = await newCode(scope, { totalUsageCap: 1 });
    const failing = withTransaction(database.pool, async (tx) => {
      await takeRedemptionSlot(tx, { orderKey: randomUUID(), codeId: id, customerRef: undefined });
      throw new Error('the checkout failed');
    });
    await expect(failing).rejects.toThrow('the checkout failed');
    expect(await take(id, randomUUID())).toBeUndefined();
  });
});
