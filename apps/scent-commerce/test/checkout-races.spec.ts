import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf } from '@reseller/testing';
import { addVariant } from './catalog-data';
import { checkoutCalls, newCall, keys, newKey, reasonOf } from './checkout-calls';
import { addCode } from './discount-data';
import { startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const { begin, commit, cancel, add, stock, codeCounts } = checkoutCalls(() => scents);

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
