import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscountType, ProductScope } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { codeOf } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { addVariant } from './catalog-data';
import { addCode } from './discount-data';
import { callAs, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const newCall = (): CallContext => callAs(uuidv7());
const reasonOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'ok',
    (error: { code?: string; details?: { reason?: string } }) => `${error.code} ${error.details?.reason}`,
  );

describe('a quote', () => {
  it('when lines are quoted, then they are priced in their order as a cart’s are, and no cart is made', async () => {
    const call = newCall();
    const a = await addVariant(scents.database, { listPrice: '10.00' });
    const b = await addVariant(scents.database, { listPrice: '0.10', taxClassification: 'ZERO' });
    await addCode(scents.database, call, { code: 'HALF', value: '50' });
    const lines = [
      { variantId: b, quantity: 3 },
      { variantId: a.toUpperCase(), quantity: 2 },
    ];
    const quote = await scents.carts.quotePrice({ lines, discountCode: 'half' }, call);
    expect(quote).toMatchObject({
      items: [
        {
          variantId: b,
          quantity: 3,
          lineGoodsVatAmount: '0.00',
          lineTotalWithVat: '0.15',
          lineCommission: '0.02',
        },
        {
          variantId: a,
          quantity: 2,
          lineGoodsVatAmount: '1.50',
          lineTotalWithVat: '11.50',
          lineCommission: '1.00',
        },
      ],
      totals: { chargedWithVat: '11.65', commissionWithVat: '1.02', netAfterCommission: '10.63' },
      discount: { code: 'HALF', discountType: DiscountType.PERCENT, value: '50.00', amount: '10.15' },
      currency: 'SAR',
    });
    const { rows } = await scents.database.pool.query('SELECT 1 FROM carts WHERE partner_id = $1', [
      call.partner?.partnerId,
    ]);
    expect(rows).toHaveLength(0);
  });

  it('when a quote cannot be made, then it says why', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database);
    const inactive = await addVariant(scents.database, { isActive: false });
    const line = { variantId, quantity: 1 };
    const codes = [
      [[], 'VALIDATION_FAILED'],
      [[line, line], 'VALIDATION_FAILED'],
      [[line, { variantId: variantId.toUpperCase(), quantity: 2 }], 'VALIDATION_FAILED'],
      [[{ variantId, quantity: 0 }], 'VALIDATION_FAILED'],
      [[{ variantId, quantity: 1000 }], 'VALIDATION_FAILED'],
      [Array.from({ length: 101 }, () => ({ variantId: uuidv7(), quantity: 1 })), 'VALIDATION_FAILED'],
      [[line, { variantId: inactive, quantity: 1 }], 'NOT_FOUND_VARIANT'],
      [[line, { variantId: uuidv7(), quantity: 1 }], 'NOT_FOUND_VARIANT'],
      [[line], 'ok'],
    ] as const;
    for (const [lines, code] of codes) {
      expect(await codeOf(scents.carts.quotePrice({ lines: [...lines] }, call))).toBe(code);
    }
  });
});

describe('a preview', () => {
  it('when a percentage has four decimals, then all of them count and are in the response (spec §6.9)', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { listPrice: '1000.00' });
    await scents.carts.addCartItem({ variantId, quantity: 1 }, call);
    const value = '33.3333';
    const scope = {
      productScope: ProductScope.ALL,
      scopedVariantIds: [],
      validFrom: undefined,
      validTo: undefined,
    };
    const terms = { discountType: DiscountType.PERCENT, value, isActive: true, ...scope };
    const made = await scents.discountCodes.createDiscountCode({ code: 'third', terms }, call);
    expect(made.discountCode?.terms?.value).toBe(value);
    const preview = await scents.carts.previewCheckout({ lock: true, discountCode: 'third' }, call);
    expect(preview.discount).toMatchObject({ value, amount: '333.33' });
    const { rows } = await scents.database.pool.query(
      `SELECT pricing -> 'discount' ->> 'value' AS value FROM price_locks WHERE id = $1`,
      [preview.lockId],
    );
    expect(rows).toEqual([{ value }]);
    const finer = { code: 'FINER', terms: { ...terms, value: '33.33333' } };
    expect(await codeOf(scents.discountCodes.createDiscountCode(finer, call))).toBe('VALIDATION_FAILED');
    const amount = {
      code: 'AMOUNT',
      terms: { ...terms, discountType: DiscountType.FIXED_AMOUNT, value: '1.001' },
    };
    expect(await codeOf(scents.discountCodes.createDiscountCode(amount, call))).toBe('VALIDATION_FAILED');
  });

  it('when a code applies, then it comes off; when not, then the reason is given', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { listPrice: '100.00' });
    await scents.carts.addCartItem({ variantId, quantity: 1 }, call);
    await addCode(scents.database, call, { code: 'TEN', discountType: 'FixedAmount', value: '10.00' });
    await addCode(scents.database, call, { code: 'OFF', isActive: false });
    const preview = await scents.carts.previewCheckout({ lock: false, discountCode: 'ten' }, call);
    expect(preview).toMatchObject({
      cart: { totals: { chargedWithVat: '103.50' }, items: [{ listPrice: '100.00' }] },
      discount: { code: 'TEN', amount: '10.00' },
    });
    expect([preview.lockId, preview.lockExpiresAt]).toEqual([undefined, undefined]);
    const tryCode = (discountCode: string) =>
      reasonOf(scents.carts.previewCheckout({ lock: true, discountCode }, call));
    expect(await tryCode('OFF')).toBe('BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE Inactive');
    expect(await tryCode('NONE')).toBe('BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE Unknown');
    expect(await tryCode('')).toBe('BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE Unknown');
  });

  it('when an empty cart is locked, then it is refused, but not when it is only previewed', async () => {
    const call = newCall();
    expect(await codeOf(scents.carts.previewCheckout({ lock: true }, call))).toBe('BUSINESS_CART_EMPTY');
    const preview = await scents.carts.previewCheckout({ lock: false }, call);
    expect(preview.cart?.items).toEqual([]);
  });

  it('when prices are locked, then each lock is a new one that ends after its time', async () => {
    const call = newCall();
    await scents.carts.addCartItem({ variantId: await addVariant(scents.database), quantity: 1 }, call);
    const before = Date.now();
    const [one, two] = await Promise.all([
      scents.carts.previewCheckout({ lock: true }, call),
      scents.carts.previewCheckout({ lock: true }, call),
    ]);
    expect(one.lockId).not.toBe(two.lockId);
    const lasts = (one.lockExpiresAt?.getTime() ?? 0) - before;
    expect(lasts).toBeGreaterThan(895_000);
    expect(lasts).toBeLessThan(925_000);
  });
});

describe('a locked cart', () => {
  it('when it lay idle almost too long, then the lock keeps it for its own lifetime', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database);
    const { cart } = await scents.carts.addCartItem({ variantId, quantity: 1 }, call);
    const ages = `UPDATE carts SET touched_at = clock_timestamp() - interval '30 days' + interval '1 minute' WHERE id = $1`;
    await scents.database.pool.query(ages, [cart?.id]);
    const { lockExpiresAt } = await scents.carts.previewCheckout({ lock: true }, call);
    const { rows } = await scents.database.pool.query(
      `SELECT touched_at + interval '30 days' > $2 AS kept FROM carts WHERE id = $1`,
      [cart?.id, lockExpiresAt],
    );
    expect(rows).toEqual([{ kept: true }]);
  });
});
