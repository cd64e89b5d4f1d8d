import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  DiscountType,
  Environment,
  PricingMode,
  TaxClassification,
  type BeginCheckoutRequest,
  type Checkout,
} from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { v7 as uuidv7 } from 'uuid';
import { addVariant } from './catalog-data';
import { addCode } from './discount-data';
import { stockOf } from './scent-database';
import { callAs, codeOf, knowPartner, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const newCall = (): CallContext => callAs(uuidv7());
const named = (call: CallContext, orderKey: string) => ({
  orderKey,
  partnerId: call.partner?.partnerId ?? '',
  environment: call.partner?.environment ?? Environment.UNSPECIFIED,
});
const anyCall = { requestId: 'r' };
/** Repeated under its key while the service has no connection, as orders-saga does. */
const begin = async (
  call: CallContext,
  orderKey: string,
  more: Partial<BeginCheckoutRequest> = {},
): Promise<Checkout> => {
  const request = { ...named(call, orderKey), ...more };
  let response = await scents.checkouts.beginCheckout(request, anyCall).catch(unlessUnavailable);
  while (!response)
    response = await scents.checkouts.beginCheckout(request, anyCall).catch(unlessUnavailable);
  const { checkout } = response;
  if (!checkout) throw new Error('no checkout');
  return checkout;
};
const unlessUnavailable = (error: { code?: string }): undefined => {
  if (error.code !== 'SERVICE_UNAVAILABLE') throw error;
};
const commit = (call: CallContext, key: string) => scents.checkouts.commitCheckout(named(call, key), anyCall);
const cancel = (call: CallContext, key: string) => scents.checkouts.cancelCheckout(named(call, key), anyCall);
const add = async (call: CallContext, variantId: string, quantity = 1, customerRef?: string) =>
  (await scents.carts.addCartItem({ variantId, quantity, customerRef }, call)).cart;
const lock = async (call: CallContext, discountCode?: string): Promise<string> =>
  (await scents.carts.previewCheckout({ lock: true, discountCode }, call)).lockId ?? '';
const stock = async (variantId: string) => (await stockOf(scents.database.pool, [variantId]))[0];
const codeCounts = async (id: string) => {
  const { rows } = await scents.database.pool.query<{ usage: number; pending: number }>(
    'SELECT usage_count AS usage, pending_count AS pending FROM discount_codes WHERE id = $1',
    [id],
  );
  return rows[0];
};
const keys = (count: number): string[] => Array.from({ length: count }, () => `ORD-${uuidv7()}`);
const newKey = (): string => keys(1)[0] ?? '';
const reasonOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: { code?: string; details?: { reason?: string } }) => error.details?.reason ?? String(error.code),
  );

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
      'SELECT sum(units)::int AS units FROM variant_sales WHERE variant_id = $1',
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

  it('when the key is another partner’s, then nobody else can use it', async () => {
    const [owner, other] = [newCall(), newCall()];
    const variantId = await addVariant(scents.database);
    await add(owner, variantId);
    await add(other, variantId);
    const orderKey = newKey();
    await begin(owner, orderKey);
    for (const attempt of [begin(other, orderKey), commit(other, orderKey), cancel(other, orderKey)]) {
      expect(await codeOf(attempt)).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    }
    await commit(owner, orderKey);
  });

  it('when it never began, then there is nothing to commit, restock or give back', async () => {
    const call = newCall();
    const request = named(call, newKey());
    expect(await codeOf(commit(call, request.orderKey))).toBe('CONFLICT_ORDER_STATE');
    expect(await codeOf(scents.checkouts.giveBackRedemption(request, anyCall))).toBe('CONFLICT_ORDER_STATE');
    const restock = { ...request, restockKey: 'g', lines: [{ variantId: uuidv7(), quantity: 1 }] };
    expect(await codeOf(scents.checkouts.restockUnits(restock, anyCall))).toBe('CONFLICT_ORDER_STATE');
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

describe('a price lock (spec §6.5)', () => {
  it('when prices and code change, then the order has the locked ones, and only the commission’s VAT follows the order', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { listPrice: '100.00', cost: '10.00' });
    await add(call, variantId, 2);
    const codeId = await addCode(scents.database, call, { code: 'LOCKED', value: '10' });
    const lockId = await lock(call, 'locked');
    await scents.database.pool.query('UPDATE variants SET list_price = 500 WHERE id = $1', [variantId]);
    await scents.database.pool.query(
      `UPDATE discount_codes SET is_active = false, value = 50, valid_to = now() - interval '1 day' WHERE id = $1`,
      [codeId],
    );
    const checkout = await begin(call, newKey(), {
      lockId,
      discountCode: 'Locked',
      partnerIsVatRegistered: true,
      partnerTaxRegistrationNumber: '3001',
    });
    expect(checkout).toMatchObject({
      pricingMode: PricingMode.LOCKED,
      lockId,
      totalAmount: '180.00',
      totalCommission: '18.00',
      totalCommissionVat: '2.70',
      lines: [{ listPrice: '100.00', goods: '180.00' }],
      discount: { code: 'LOCKED', amount: '20.00' },
    });
  });

  it('when the cart changed, also back again, then the lock is stale; when nothing changed, then it is not', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database);
    await add(call, variantId, 2);
    const lockId = await lock(call);
    await scents.carts.setCartItem({ variantId, quantity: 2 }, call);
    await scents.carts.getCart({}, call);
    const orderKey = newKey();
    await begin(call, orderKey, { lockId });
    await cancel(call, orderKey);
    await scents.carts.setCartItem({ variantId, quantity: 3 }, call);
    await scents.carts.setCartItem({ variantId, quantity: 2 }, call);
    expect(await codeOf(begin(call, newKey(), { lockId }))).toBe('VALIDATION_PRICE_LOCK_INVALID');
  });

  it('when a lock is unknown, foreign, of another cart or spent, then it is invalid; past its time it has expired', async () => {
    const [call, other] = [newCall(), newCall()];
    const variantId = await addVariant(scents.database, { onHand: 100 });
    await add(call, variantId);
    await add(call, variantId, 1, 'c');
    await add(other, variantId);
    const invalid = 'VALIDATION_PRICE_LOCK_INVALID';
    const lockId = await lock(call);
    expect(await codeOf(begin(call, newKey(), { lockId: uuidv7() }))).toBe(invalid);
    expect(await codeOf(begin(other, newKey(), { lockId }))).toBe(invalid);
    expect(await codeOf(begin(call, newKey(), { lockId, customerRef: 'c' }))).toBe(invalid);
    const sandbox = { environment: Environment.SANDBOX };
    expect(await codeOf(begin(call, newKey(), { lockId, ...sandbox }))).toBe(invalid);
    const orderKey = newKey();
    await begin(call, orderKey, { lockId });
    await commit(call, orderKey);
    await add(call, variantId);
    expect(await codeOf(begin(call, newKey(), { lockId }))).toBe(invalid);
    const expired = await lock(call);
    await scents.database.pool.query('UPDATE price_locks SET expires_at = clock_timestamp() WHERE id = $1', [
      expired,
    ]);
    expect(await codeOf(begin(call, newKey(), { lockId: expired }))).toBe('VALIDATION_PRICE_LOCK_EXPIRED');
  });

  it('when the order names another code than the lock, then VALIDATION_FAILED', async () => {
    const call = newCall();
    await add(call, await addVariant(scents.database));
    await addCode(scents.database, call, { code: 'ABC' });
    const [without, withCode] = [await lock(call), await lock(call, 'ABC')];
    expect(await codeOf(begin(call, newKey(), { lockId: without, discountCode: 'ABC' }))).toBe(
      'VALIDATION_FAILED',
    );
    expect(await codeOf(begin(call, newKey(), { lockId: withCode, discountCode: 'ABD' }))).toBe(
      'VALIDATION_FAILED',
    );
    expect(await codeOf(begin(call, newKey(), { lockId: withCode, discountCode: 'abc' }))).toBe('ok');
  });

  it('when the code was deleted or used up since the lock, then the order is refused', async () => {
    const call = newCall();
    await add(call, await addVariant(scents.database));
    const used = await addCode(scents.database, call, { code: 'USED', totalUsageCap: 1 });
    const gone = await addCode(scents.database, call, { code: 'GONE' });
    const [usedLock, goneLock] = [await lock(call, 'USED'), await lock(call, 'GONE')];
    await scents.database.pool.query('UPDATE discount_codes SET usage_count = 1 WHERE id = $1', [used]);
    await scents.database.pool.query('DELETE FROM discount_codes WHERE id = $1', [gone]);
    expect(await reasonOf(begin(call, newKey(), { lockId: usedLock }))).toBe('UsageCapReached');
    expect(await reasonOf(begin(call, newKey(), { lockId: goneLock }))).toBe('Unknown');
    expect(await codeOf(scents.carts.clearCart({}, call))).toBe('ok');
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

  it('when there is no cart or nothing in it, then BUSINESS_CART_EMPTY', async () => {
    expect(await codeOf(begin(newCall(), newKey()))).toBe('BUSINESS_CART_EMPTY');
  });
});

describe('at the same instant', () => {
  it('when orders begin on one cart, then exactly one holds it, and every repetition of a key returns the same', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { onHand: 10 });
    await add(call, variantId, 3);
    const orderKeys = keys(4);
    const attempts = await Promise.all(
      [...orderKeys, ...orderKeys, ...orderKeys].map((key) =>
        begin(call, key).then(
          (checkout) => checkout.orderKey,
          (error: { code: string }) => error.code,
        ),
      ),
    );
    const winners = new Set(attempts.filter((outcome) => outcome.startsWith('ORD-')));
    expect(winners.size).toBe(1);
    expect(new Set(attempts.filter((outcome) => !outcome.startsWith('ORD-')))).toEqual(
      new Set(['CONFLICT_CART_HAS_PENDING_ORDER']),
    );
    expect(await stock(variantId)).toEqual({ onHand: 10, reserved: 3 });
  });

  it('when more is ordered than there is, then the stock is sold to the last unit and never beyond', async () => {
    const variants = [
      await addVariant(scents.database, { onHand: 7 }),
      await addVariant(scents.database, { onHand: 7 }),
    ];
    const calls = Array.from({ length: 12 }, newCall);
    await Promise.all(
      calls.map(async (call, index) => {
        for (const id of index % 2 ? variants : [...variants].reverse()) await add(call, id, 1);
      }),
    );
    const codes = await Promise.all(calls.map((call) => codeOf(begin(call, newKey()))));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(7);
    expect(codes.filter((code) => code === 'BUSINESS_INSUFFICIENT_STOCK')).toHaveLength(5);
    for (const id of variants) expect(await stock(id)).toEqual({ onHand: 7, reserved: 7 });
  });

  it('when orders race to a code’s cap, then exactly so many have it, and freed slots can be had again', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { onHand: 100 });
    const codeId = await addCode(scents.database, call, { code: 'THREE', totalUsageCap: 3 });
    const customers = Array.from({ length: 8 }, (_, index) => `c${index}`);
    await Promise.all(customers.map((customerRef) => add(call, variantId, 1, customerRef)));
    const orders = customers.map((customerRef) => ({ customerRef, orderKey: newKey() }));
    const outcomes = await Promise.all(
      orders.map(({ customerRef, orderKey }) =>
        reasonOf(begin(call, orderKey, { customerRef, discountCode: 'THREE' })),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === 'UsageCapReached')).toHaveLength(5);
    expect(await codeCounts(codeId)).toEqual({ usage: 0, pending: 3 });
    const held = orders.filter((_, index) => outcomes[index] === 'ok');
    await Promise.all(
      held.map(({ orderKey }, index) => (index ? commit(call, orderKey) : cancel(call, orderKey))),
    );
    expect(await codeCounts(codeId)).toEqual({ usage: 2, pending: 0 });
  });

  it('when changes and orders race on a cart, then what was frozen is what was returned', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { onHand: 500 });
    await add(call, variantId, 1);
    for (let round = 0; round < 8; round += 1) {
      const orderKey = newKey();
      const changes = Array.from({ length: 4 }, () =>
        codeOf(scents.carts.addCartItem({ variantId, quantity: 1 }, call)),
      );
      const outcome = await begin(call, orderKey).then(
        (checkout) => checkout.lines[0]?.quantity,
        (error: { code: string }) => error.code,
      );
      const codes = await Promise.all(changes);
      expect(codes.filter((code) => !['ok', 'CONFLICT_CART_HAS_PENDING_ORDER'].includes(code))).toEqual([]);
      const { cart } = await scents.carts.getCart({}, call);
      if (typeof outcome === 'number') expect(outcome).toBe(cart?.items[0]?.quantity);
      else expect(outcome).toBe('CONFLICT_CART_CHECKOUT_RACE');
      await cancel(call, orderKey);
    }
  });

  it('when begin and cancel of a key race, then either way nothing stays frozen', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { onHand: 5 });
    await add(call, variantId, 1);
    for (const orderKey of keys(10)) {
      const [begun] = await Promise.all([codeOf(begin(call, orderKey)), cancel(call, orderKey)]);
      expect(['ok', 'CONFLICT_ORDER_STATE']).toContain(begun);
      expect(await stock(variantId)).toEqual({ onHand: 5, reserved: 0 });
    }
    expect(await codeOf(scents.carts.clearCart({}, call))).toBe('ok');
  });
});
