import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscountType, PricingMode, TaxClassification } from '@reseller/contracts';
import { codeOf } from '@reseller/testing';
import { addVariant } from './catalog-data';
import { checkoutCalls, newCall, anyCall, named, keys, newKey } from './checkout-calls';
import { addCode } from './discount-data';
import { knowPartner, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const { begin, commit, cancel, add, lock, stock, codeCounts } = checkoutCalls(() => scents);

describe('a checkout', () => {
  it('when it begins, then it returns every figure of the order, and the same again whatever has changed since', async () => {
    scents.rates.set('USD', '0.266600');
    const { call } = await knowPartner(scents, { displayCurrency: 'USD', isVatRegistered: true });
    const a = await addVariant(scents.database, {
      sku: 'CO-A',
      listPrice: '33.35',
      cost: '20.00',
      warehouse: 'W1',
    });
    const b = await addVariant(scents.database, {
      listPrice: '10.00',
      cost: '1.00',
      taxClassification: 'ZERO',
      warehouse: 'W2',
    });
    await add(call, a, 3, 'c1');
    const cart = await add(call, b, 1, 'c1');
    const codeId = await addCode(scents.database, call, {
      code: 'FIVE',
      discountType: 'FixedAmount',
      value: '5.00',
    });
    const orderKey = newKey();
    const checkout = await begin(call, orderKey, {
      customerRef: 'c1',
      discountCode: 'five',
      partnerTaxRegistrationNumber: '3001',
    });
    expect(checkout).toEqual({
      orderKey,
      cartId: cart?.id,
      customerRef: 'c1',
      pricingMode: PricingMode.LIVE,
      lines: [
        {
          variantId: a,
          sku: 'CO-A',
          quantity: 3,
          listPrice: '33.35',
          // 5.00 × 100.05 / 110.05 = 4.5456…
          discountShare: '4.55',
          goods: '95.50',
          unitGoods: '31.8333',
          taxClassification: TaxClassification.STANDARD,
          vatRate: '0.15',
          goodsVat: '14.33',
          totalWithVat: '109.83',
          commissionRate: '0.1',
          commission: '9.55',
          commissionVat: '1.43',
          warehouseCode: 'W1',
          sizeMl: 50,
          scentName: expect.any(String),
          isDiscounted: true,
        },
        expect.objectContaining({
          variantId: b,
          discountShare: '0.45',
          goods: '9.55',
          unitGoods: '9.5500',
          taxClassification: TaxClassification.ZERO,
          vatRate: '0',
          goodsVat: '0.00',
          totalWithVat: '9.55',
          warehouseCode: 'W2',
        }),
      ],
      totalAmount: '105.05',
      totalGoodsVat: '14.33',
      totalAmountWithVat: '119.38',
      totalCommission: '10.51',
      totalCommissionVat: '1.57',
      totalCommissionWithVat: '12.08',
      discount: { code: 'FIVE', discountType: DiscountType.FIXED_AMOUNT, value: '5.00', amount: '5.00' },
      currency: 'SAR',
      displayRate: { currency: 'USD', rate: '0.266600' },
      partnerIsVatRegistered: true,
      partnerTaxRegistrationNumber: '3001',
      begunAt: expect.any(Date),
      commissionVatRate: '0.15',
    });
    expect([await stock(a), await codeCounts(codeId)]).toEqual([
      { onHand: 10, reserved: 3 },
      { usage: 0, pending: 1 },
    ]);
    scents.rates.set('USD', '0.3');
    await scents.database.pool.query('UPDATE variants SET list_price = 99 WHERE id = $1', [a]);
    expect(await begin(call, orderKey)).toEqual(checkout);
    await commit(call, orderKey);
    expect(await begin(call, orderKey)).toEqual(checkout);
  });

  it('when it runs, then the cart can be read but not changed, and when it is committed the next cart is a new one', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { onHand: 10 });
    const cart = await add(call, variantId, 4);
    const orderKey = newKey();
    await begin(call, orderKey);
    const frozen = 'CONFLICT_CART_HAS_PENDING_ORDER';
    expect(await codeOf(scents.carts.addCartItem({ variantId, quantity: 1 }, call))).toBe(frozen);
    expect(await codeOf(scents.carts.setCartItem({ variantId, quantity: 0 }, call))).toBe(frozen);
    expect(await codeOf(scents.carts.removeCartItem({ variantId }, call))).toBe(frozen);
    expect(await codeOf(scents.carts.clearCart({}, call))).toBe(frozen);
    expect(await codeOf(begin(call, newKey()))).toBe(frozen);
    const read = async () => (await scents.carts.getCart({}, call)).cart;
    expect(await read()).toMatchObject({ id: cart?.id, items: [{ quantity: 4 }] });
    await commit(call, orderKey);
    await commit(call, orderKey);
    const next = await read();
    expect(next?.items).toEqual([]);
    expect(next?.id).not.toBe(cart?.id);
    expect(await stock(variantId)).toEqual({ onHand: 6, reserved: 0 });
    const { rows } = await scents.database.pool.query(
      'SELECT sum(units)::int AS units FROM daily_sales WHERE variant_id = $1',
      [variantId],
    );
    expect(rows).toEqual([{ units: 4 }]);
    expect(await codeOf(cancel(call, orderKey))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(begin(call, newKey()))).toBe('BUSINESS_CART_EMPTY');
  });

  it('when it is cancelled, then everything is as before, a lock stays good, and the key is used up', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { onHand: 10 });
    const cart = await add(call, variantId, 4);
    const codeId = await addCode(scents.database, call, { code: 'ONE', totalUsageCap: 1 });
    const lockId = await lock(call, 'ONE');
    const [first = '', second = ''] = keys(2);
    await begin(call, first, { lockId });
    await cancel(call, first);
    await cancel(call, first);
    expect([await stock(variantId), await codeCounts(codeId)]).toEqual([
      { onHand: 10, reserved: 0 },
      { usage: 0, pending: 0 },
    ]);
    expect(await codeOf(begin(call, first, { lockId }))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(commit(call, first))).toBe('CONFLICT_ORDER_STATE');
    expect((await begin(call, second, { lockId })).cartId).toBe(cart?.id);
    await cancel(call, second);
    expect((await add(call, variantId))?.items[0]?.quantity).toBe(5);
  });

  it('when it was cancelled before it began, then it cannot begin, and nothing is frozen', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database);
    await add(call, variantId);
    const orderKey = newKey();
    await cancel(call, orderKey);
    expect(await codeOf(begin(call, orderKey))).toBe('CONFLICT_ORDER_STATE');
    expect((await add(call, variantId))?.items[0]?.quantity).toBe(2);
  });

  it('when a group is cancelled, then its units are back once, and a cancelled order’s redemption too', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { onHand: 10 });
    await add(call, variantId, 4, 'c');
    const codeId = await addCode(scents.database, call, { code: 'ONCE', perCustomerCap: 1 });
    const orderKey = newKey();
    await begin(call, orderKey, { customerRef: 'c', discountCode: 'ONCE' });
    await commit(call, orderKey);
    expect(await codeCounts(codeId)).toEqual({ usage: 1, pending: 0 });
    const restock = (restockKey: string, quantity: number) =>
      codeOf(
        scents.checkouts.restockUnits(
          { ...named(call, orderKey), restockKey, lines: [{ variantId, quantity }] },
          anyCall,
        ),
      );
    expect(await restock('g1', 5)).toBe('CONFLICT_ORDER_STATE');
    expect([await restock('g1', 3), await restock('g1', 3), await restock('g2', 2)]).toEqual([
      'ok',
      'ok',
      'CONFLICT_ORDER_STATE',
    ]);
    expect(await stock(variantId)).toEqual({ onHand: 9, reserved: 0 });
    await scents.checkouts.giveBackRedemption(named(call, orderKey), anyCall);
    await scents.checkouts.giveBackRedemption(named(call, orderKey), anyCall);
    expect(await codeCounts(codeId)).toEqual({ usage: 0, pending: 0 });
  });
});

describe('a refusal', () => {
  it('when prices do not cover live costs, then the order is refused with a lock too, and the cart stays free', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { listPrice: '100.00', cost: '85.00' });
    await add(call, variantId);
    const lockId = await lock(call);
    const setCost = (cost: string) =>
      scents.database.pool.query('UPDATE variants SET cost = $2 WHERE id = $1', [variantId, cost]);
    await setCost('85.01');
    expect(await codeOf(begin(call, newKey(), { lockId }))).toBe('BUSINESS_MARGIN_BELOW_FLOOR');
    await setCost('100.01');
    expect(await codeOf(begin(call, newKey(), { lockId }))).toBe('BUSINESS_PRICE_BELOW_COST');
    expect(await codeOf(begin(call, newKey()))).toBe('BUSINESS_PRICE_BELOW_COST');
    await setCost('85.00');
    expect(await codeOf(begin(call, newKey(), { lockId }))).toBe('ok');
  });

  it('when a line cannot be had, then the order is refused with the variants, and no slot is kept', async () => {
    const call = newCall();
    const [few, none, enough] = [
      await addVariant(scents.database, { onHand: 2 }),
      await addVariant(scents.database, { onHand: 5 }),
      await addVariant(scents.database, { onHand: 5 }),
    ];
    await add(call, few, 3);
    await add(call, enough, 5);
    await add(call, none, 1);
    await scents.database.pool.query('UPDATE variants SET is_active = false WHERE id = $1', [none]);
    const codeId = await addCode(scents.database, call, { code: 'CAPPED', totalUsageCap: 1 });
    const orderKey = newKey();
    await expect(begin(call, orderKey, { discountCode: 'CAPPED' })).rejects.toMatchObject({
      code: 'BUSINESS_INSUFFICIENT_STOCK',
      details: { variantIds: [few, none] },
    });
    expect([await stock(enough), await codeCounts(codeId)]).toEqual([
      { onHand: 5, reserved: 0 },
      { usage: 0, pending: 0 },
    ]);
    await scents.carts.setCartItem({ variantId: few, quantity: 2 }, call);
    await scents.carts.removeCartItem({ variantId: none }, call);
    expect(await codeOf(begin(call, orderKey, { discountCode: 'CAPPED' }))).toBe('ok');
  });

  it('when the partner is to be registered for VAT without a number, then VALIDATION_FAILED', async () => {
    const call = newCall();
    await add(call, await addVariant(scents.database));
    const registered = { partnerIsVatRegistered: true };
    expect(await codeOf(begin(call, newKey(), registered))).toBe('VALIDATION_FAILED');
    const withNumber = { ...registered, partnerTaxRegistrationNumber: '3001' };
    expect(await codeOf(begin(call, newKey(), withNumber))).toBe('ok');
  });

  it('when the profile alone says that the partner is registered, then no number is needed', async () => {
    const { call } = await knowPartner(scents, { isVatRegistered: true });
    await add(call, await addVariant(scents.database));
    const { partnerIsVatRegistered, partnerTaxRegistrationNumber } = await begin(call, newKey());
    expect([partnerIsVatRegistered, partnerTaxRegistrationNumber]).toEqual([true, undefined]);
  });
});
