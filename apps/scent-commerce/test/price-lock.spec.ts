import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Environment, PricingMode } from '@reseller/contracts';
import { codeOf } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { addVariant } from './catalog-data';
import { checkoutCalls, newCall, newKey, reasonOf } from './checkout-calls';
import { addCode } from './discount-data';
import { startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const { begin, commit, cancel, add, lock } = checkoutCalls(() => scents);

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
    const refused = [
      { lockId: without, discountCode: 'ABC' },
      // No text that a code can have, so that of no lock either.
      { lockId: without, discountCode: 'AB' },
      { lockId: withCode, discountCode: 'ABD' },
      { lockId: withCode, discountCode: 'A B C' },
    ];
    for (const request of refused)
      expect(await codeOf(begin(call, newKey(), request))).toBe('VALIDATION_FAILED');
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
