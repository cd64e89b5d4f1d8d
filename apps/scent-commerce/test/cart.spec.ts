import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Availability, CartStatus, Environment, type Cart } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { codeOf, eventually } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import { addScent, addVariant, setPrice } from './catalog-data';
import { callAs, knowPartner, startScentService, type ScentService } from './scent-service';

let scents: ScentService;
beforeAll(async () => {
  scents = await startScentService();
});
afterAll(() => scents.stop());

const newCall = (): CallContext => callAs(uuidv7());
const add = async (
  call: CallContext,
  variantId: string,
  quantity = 1,
  customerRef?: string,
): Promise<Cart> => {
  const { cart } = await scents.carts.addCartItem({ variantId, quantity, customerRef }, call);
  return required(cart);
};
const read = async (call: CallContext, customerRef?: string): Promise<Cart> =>
  required((await scents.carts.getCart({ customerRef }, call)).cart);
const required = (cart: Cart | undefined): Cart => {
  if (!cart) throw new Error('no cart');
  return cart;
};
const quantitiesOf = ({ items }: Cart): [string, number][] =>
  items.map((line) => [line.variantId, line.quantity]);
const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

describe('a cart', () => {
  it('when an absent one is read, then it is made, empty and Open with zero totals, and stays the same one', async () => {
    const call = newCall();
    const cart = await read(call);
    expect(cart).toEqual({
      id: expect.any(String),
      partnerId: call.partner?.partnerId,
      status: CartStatus.OPEN,
      items: [],
      pricedAt: expect.any(Date),
      totals: { chargedWithVat: '0.00', commissionWithVat: '0.00', netAfterCommission: '0.00' },
      currency: 'SAR',
    });
    expect((await read(call)).id).toBe(cart.id);
  });

  it('when a variant is added, then its line carries every figure, priced for the partner and displayed at its rate', async () => {
    scents.rates.set('USD', '0.266600');
    const parent = uuidv7();
    const partner = await knowPartner(scents, {
      ancestors: [parent],
      displayCurrency: 'USD',
      marketingEnabled: true,
      isVatRegistered: true,
      commissionRate: '0.2',
    });
    const variantId = await addVariant(scents.database, {
      sku: 'CART-FULL',
      sizeMl: 75,
      listPrice: '50.00',
      rrp: '60.00',
      onHand: 8,
      reserved: 4,
    });
    await setPrice(scents.database, { variantId, partnerId: parent, listPrice: '33.35' });
    const cart = await add(partner.call, variantId, 3, 'Zoë 🌸');
    expect(cart.customerRef).toBe('Zoë 🌸');
    expect(cart.displayRate).toEqual({ currency: 'USD', rate: '0.266600' });
    // 100.05: VAT 15.01, commission 20.01, its VAT 3.00.
    expect(cart.totals).toEqual({
      chargedWithVat: '115.06',
      commissionWithVat: '23.01',
      netAfterCommission: '92.05',
    });
    expect(cart.items).toEqual([
      {
        variantId,
        quantity: 3,
        sku: 'CART-FULL',
        sizeMl: 75,
        listPrice: '33.35',
        lineGoodsVatAmount: '15.01',
        lineTotalWithVat: '115.06',
        rrp: '60.00',
        availability: Availability.LIMITED,
        availableQuantity: 4,
        insufficientForQuantity: false,
        lineCommission: '20.01',
        lineCommissionVatAmount: '3.00',
        lineNetAfterCommission: '92.05',
        marketing: expect.objectContaining({ currentPrice: '50.00', compareAtPrice: '60.00' }),
      },
    ]);
  });

  it('when prices, stock and rates change, then the next read has them', async () => {
    const { call } = await knowPartner(scents, { displayCurrency: 'AED' });
    const variantId = await addVariant(scents.database, { listPrice: '10.00', onHand: 30 });
    expect((await add(call, variantId, 7)).items[0]).toMatchObject({
      lineTotalWithVat: '80.50',
      availability: Availability.AVAILABLE,
    });
    await scents.database.pool.query('UPDATE variants SET list_price = 20 WHERE id = $1', [variantId]);
    await scents.database.pool.query('UPDATE stock_levels SET on_hand = 5 WHERE variant_id = $1', [
      variantId,
    ]);
    scents.rates.set('AED', '0.980000');
    const cart = await read(call);
    expect(cart.items[0]).toMatchObject({
      listPrice: '20.00',
      lineTotalWithVat: '161.00',
      availability: Availability.LIMITED,
      availableQuantity: 5,
      insufficientForQuantity: true,
    });
    expect(cart.displayRate?.rate).toBe('0.980000');
    expect(cart.items[0]?.marketing).toBeUndefined();
  });

  it('when a variant becomes inactive, then its line stays priced but nothing of it can be had, and it cannot be added', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database, { listPrice: '10.00', onHand: 30 });
    await add(call, variantId);
    await scents.database.pool.query('UPDATE variants SET is_active = false WHERE id = $1', [variantId]);
    expect((await read(call)).items[0]).toMatchObject({
      lineTotalWithVat: '11.50',
      availability: Availability.UNAVAILABLE,
      availableQuantity: 0,
      insufficientForQuantity: true,
    });
    expect(await codeOf(scents.carts.addCartItem({ variantId, quantity: 1 }, call))).toBe(
      'NOT_FOUND_VARIANT',
    );
    const { cart } = await scents.carts.setCartItem({ variantId, quantity: 2 }, call);
    expect(cart?.items[0]?.quantity).toBe(2);
  });

  it('when lines are added, set, removed and cleared, then they keep the order in which they first came', async () => {
    const call = newCall();
    const scentId = await addScent(scents.database);
    const [a = '', b = '', c = ''] = await times(3, () => addVariant(scents.database, { scentId }));
    await add(call, b, 2);
    await add(call, a);
    await add(call, c);
    await add(call, b, 3);
    expect(quantitiesOf(await read(call))).toEqual([
      [b, 5],
      [a, 1],
      [c, 1],
    ]);
    await scents.carts.setCartItem({ variantId: a, quantity: 9 }, call);
    await scents.carts.setCartItem({ variantId: b, quantity: 0 }, call);
    await scents.carts.removeCartItem({ variantId: c }, call);
    expect(quantitiesOf(await add(call, b))).toEqual([
      [a, 9],
      [b, 1],
    ]);
    const { cart } = await scents.carts.clearCart({}, call);
    expect(cart).toMatchObject({ id: (await read(call)).id, items: [] });
    expect(await codeOf(scents.carts.clearCart({}, call))).toBe('ok');
  });

  it('when a line is not there, then setting and removing it are refused, also for an unknown variant', async () => {
    const call = newCall();
    for (const variantId of [await addVariant(scents.database), uuidv7()]) {
      expect(await codeOf(scents.carts.setCartItem({ variantId, quantity: 0 }, call))).toBe(
        'NOT_FOUND_CART_ITEM',
      );
      expect(await codeOf(scents.carts.setCartItem({ variantId, quantity: 1 }, call))).toBe(
        'NOT_FOUND_CART_ITEM',
      );
      expect(await codeOf(scents.carts.removeCartItem({ variantId }, call))).toBe('NOT_FOUND_CART_ITEM');
    }
    expect(await codeOf(scents.carts.addCartItem({ variantId: uuidv7(), quantity: 1 }, call))).toBe(
      'NOT_FOUND_VARIANT',
    );
  });

  it('when carts are another partner’s, environment’s or customer’s, then they do not meet', async () => {
    const variantId = await addVariant(scents.database);
    const call = newCall();
    const sandbox = { ...call, partner: { ...call.partner!, environment: Environment.SANDBOX } };
    await add(call, variantId, 1);
    await add(call, variantId, 2, 'x');
    await add(call, variantId, 3, 'X');
    await add(call, variantId, 4, ' x');
    await add(sandbox, variantId, 5);
    const carts = [
      read(call),
      read(call, 'x'),
      read(call, 'X'),
      read(call, ' x'),
      read(sandbox),
      read(newCall()),
    ];
    expect((await Promise.all(carts)).map((cart) => cart.items[0]?.quantity)).toEqual([
      1,
      2,
      3,
      4,
      5,
      undefined,
    ]);
  });

  it.each(['', 'a'.repeat(129), 'a\u0000', 'a\nb', '\u0085', '\u2028'])(
    'when the customerRef is %j, then VALIDATION_FAILED',
    async (customerRef) => {
      expect(await codeOf(scents.carts.getCart({ customerRef }, newCall()))).toBe('VALIDATION_FAILED');
    },
  );

  it('when the customerRef has 128 code points outside the basic plane, then it is taken', async () => {
    expect((await read(newCall(), '🌸'.repeat(128))).customerRef).toBe('🌸'.repeat(128));
  });

  it.each([0, -1, 1000])('when %s units are added, then VALIDATION_FAILED', async (quantity) => {
    const variantId = await addVariant(scents.database);
    expect(await codeOf(scents.carts.addCartItem({ variantId, quantity }, newCall()))).toBe(
      'VALIDATION_FAILED',
    );
  });
});

describe('at the same instant', () => {
  it('when first adds come together, then there is one cart and every unit counts', async () => {
    const call = newCall();
    const scentId = await addScent(scents.database);
    const variants = await times(4, () => addVariant(scents.database, { scentId }));
    const carts = await times(24, (index) => add(call, variants[index % 4] ?? '', 1));
    expect(new Set(carts.map(({ id }) => id)).size).toBe(1);
    expect(new Map(quantitiesOf(await read(call)))).toEqual(new Map(variants.map((id) => [id, 6])));
  });

  it('when adds race to the limit of a line, then it is reached exactly and the rest are refused', async () => {
    const call = newCall();
    const variantId = await addVariant(scents.database);
    const codes = await times(12, () => codeOf(scents.carts.addCartItem({ variantId, quantity: 100 }, call)));
    expect(codes.filter((code) => code === 'ok')).toHaveLength(9);
    expect(codes.filter((code) => code === 'VALIDATION_FAILED')).toHaveLength(3);
    expect((await add(call, variantId, 99)).items[0]?.quantity).toBe(999);
  });

  it('when adds race to the limit of lines, then the cart has exactly 100, and units of those can still be added', async () => {
    const call = newCall();
    const scentId = await addScent(scents.database);
    const variants = await times(110, () => addVariant(scents.database, { scentId }));
    // As many at once as the pool has connections twice over: more would wait for one longer than a caller does.
    for (const variantId of variants.slice(0, 90)) await add(call, variantId);
    const codes = await Promise.all(
      variants
        .slice(90)
        .map((variantId) => codeOf(scents.carts.addCartItem({ variantId, quantity: 1 }, call))),
    );
    expect(codes.filter((code) => code === 'ok')).toHaveLength(10);
    expect(codes.filter((code) => code === 'VALIDATION_FAILED')).toHaveLength(10);
    const cart = await read(call);
    expect(cart.items).toHaveLength(100);
    const [first] = cart.items;
    expect((await add(call, first?.variantId ?? '')).items[0]?.quantity).toBe(2);
    await scents.carts.removeCartItem({ variantId: first?.variantId ?? '' }, call);
    const missing = variants.filter((id) => !cart.items.some(({ variantId }) => variantId === id));
    expect((await add(call, missing[0] ?? '')).items).toHaveLength(100);
  });
});

describe('an idle cart (spec §6.4)', () => {
  it('when nobody changed it for too long, then the next read or add finds a new one, and the job abandons the rest', async () => {
    const impatient = await startScentService({ CART_IDLE_MS: '1000' });
    try {
      const call = newCall();
      const variantId = await addVariant(impatient.database);
      const { cart: old } = await impatient.carts.addCartItem({ variantId, quantity: 1 }, call);
      const { cart: other } = await impatient.carts.addCartItem(
        { variantId, quantity: 1, customerRef: 'x' },
        call,
      );
      await eventually(async () => {
        const { rows } = await impatient.database.pool.query<{ status: string }>(
          'SELECT status FROM carts WHERE id = ANY ($1)',
          [[old?.id, other?.id]],
        );
        expect(rows).toEqual([{ status: 'Abandoned' }, { status: 'Abandoned' }]);
      });
      const { cart } = await impatient.carts.addCartItem({ variantId, quantity: 2 }, call);
      expect(cart?.id).not.toBe(old?.id);
      expect(quantitiesOf(required(cart))).toEqual([[variantId, 2]]);
    } finally {
      await impatient.stop();
    }
  });

  it('when the job has not come by, then a read still finds a new one', async () => {
    const call = newCall();
    const old = await add(call, await addVariant(scents.database));
    await scents.database.pool.query(
      `UPDATE carts SET touched_at = clock_timestamp() - interval '30 days' WHERE id = $1`,
      [old.id],
    );
    const cart = await read(call);
    expect(cart).toMatchObject({ items: [] });
    expect(cart.id).not.toBe(old.id);
  });
});
