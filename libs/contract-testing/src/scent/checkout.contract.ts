import { expect, refusalOf, rpc, service, settled, UNKNOWN, UNREACHABLE, uuidv7 } from '../prelude';
import type { Case, Message, Party, Sentences, Step, World } from '../prelude';
import { walksKeys } from '../common/keys';
import { aCode, add, aVariant, begun, cartOf, change, committed, FIXED, knownPartner } from './arrange';
import { lockOf, stockOf, usageOf, whileBegun, withCart, withoutRate } from './arrange';

const NEVER_BEGUN = { order_key: 'ORD-never' };
const NEW = `ORD-${uuidv7()}`;

/** A key that somebody else's checkout has, begun or committed; the begun one stays as it is. */
const takenFrom =
  (whose: (world: World, owner: Party) => Party): Case =>
  async (use) => {
    const take = (owner: Party, named: Message): Promise<Message> =>
      whose(use, owner).call(use.rpc, { restock_key: 'group-1', ...named });
    const { partner: owner } = await withCart(use);
    const { code } = await whileBegun(owner, ({ order_key }) => refusalOf(take(owner, { order_key })));
    expect(code).toBe('CONFLICT_IDEMPOTENCY_KEY_REUSED');
    const { partner, request } = await committed(use);
    return take(partner, request);
  };

/** An RPC of a checkout of three units that these others came before, with all that any of them takes. */
const checkoutRpc = (before: readonly string[], sentences: Sentences<Awaited<ReturnType<typeof withCart>>>) =>
  rpc(
    async (world) => {
      const cart = await withCart(world, 3);
      for (const name of before) await cart.partner.call(name, cart.request);
      return cart;
    },
    {
      'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key of another partner': takenFrom((world) => world.partner()),
      'CONFLICT_IDEMPOTENCY_KEY_REUSED: a key of the other environment': takenFrom((_, one) =>
        one.elsewhere(),
      ),
      ...sentences,
    },
  );

/** Beginning a checkout after the only variant of the cart was changed. */
const afterChange = (changes: Message): readonly Step[] => [['UpdateVariant', changes], {}];

/** Checks a cart out for an order. */
export const checkouts = service('CheckoutService', {
  BeginCheckout: checkoutRpc([], {
    'returns every figure of the order to be, and reserves its units': async (use) => {
      const settings = { display_currency: 'USD', tax_registration_number: '311' };
      const { partner, variant, cart } = await withCart(use, 3, settings);
      const { code } = await aCode(partner, { discount_type: FIXED, value: '5.00' });
      return whileBegun(
        partner,
        async (checkout) => {
          expect(checkout).toMatchObject({ cart_id: cart.id, discount: { code } });
          return [variant.id, { ...checkout, discount: undefined }, await stockOf(use, variant)];
        },
        { discount_code: code },
      );
    },
    'repeated, it returns the first reply, whatever has changed since': async (use, given) => {
      const { partner, variant, call } = given;
      const first = await call();
      await change(use, variant, { list_price: '500.00' });
      expect(await call({ discount_code: 'OTHER' })).toEqual(first);
      await partner.call('CommitCheckout', { order_key: (first.checkout as Message).order_key });
      expect(await call({ discount_code: 'OTHER' })).toEqual(first);
    },
    'with a lock it has the locked prices, once': async (use) => {
      const { partner, variant } = await withCart(use, 1, { is_vat_registered: false });
      const lock = await lockOf(partner);
      await change(use, variant, { list_price: '120.00' });
      return whileBegun(partner, async (checkout) => [lock, checkout], lock);
    },
    'a refusal leaves nothing behind and does not use the key up': async (use, given) => {
      const { partner, variant, request, call } = given;
      await change(use, variant, { stock_on_hand: 2 });
      const { code, details } = await refusalOf(call());
      expect(details).toEqual({ variantIds: [variant.id] });
      await change(use, variant, { stock_on_hand: 3 });
      await call();
      const stock = await stockOf(use, variant);
      await partner.call('CancelCheckout', request);
      return [code, stock];
    },
    'a cap of one admits exactly one of several orders at once': async (use) => {
      const partner = await knownPartner(use);
      const { code } = await aCode(partner, { total_usage_cap: 1 });
      const customers = ['c-1', 'c-2', 'c-3'];
      for (const customer_ref of customers) await add(partner, await aVariant(use), 1, { customer_ref });
      const { replies, refusals } = await settled(
        customers.map((customer_ref) => begun(partner, { customer_ref, discount_code: code })),
      );
      for (const { request } of replies) await partner.call('CancelCheckout', request);
      return refusals.map(({ code: of, details }) => [of, details]);
    },
    'VALIDATION_FAILED: registered for VAT without a number anywhere': async (use) => {
      const { partner } = await withCart(use, 1, { is_vat_registered: false });
      return begun(partner, { partner_is_vat_registered: true });
    },
    'VALIDATION_FAILED: another code than the lock’s': async (_, { partner, call }) =>
      call({ ...(await lockOf(partner)), discount_code: (await aCode(partner)).code }),
    'CONFLICT_ORDER_STATE: a key that was cancelled before it began': ['CancelCheckout', {}],
    'CONFLICT_ORDER_STATE: a key that was cancelled': [{}, 'CancelCheckout', {}],
    'VALIDATION_PRICE_LOCK_INVALID: an unknown lock': { lock_id: UNKNOWN },
    'VALIDATION_PRICE_LOCK_INVALID: another partner’s lock': async (use, { call }) =>
      call(await lockOf((await withCart(use)).partner)),
    'VALIDATION_PRICE_LOCK_INVALID: one of a cart that changed since, and back': async (_, given) => {
      const { partner, variant, call } = given;
      const lock = await lockOf(partner);
      for (const quantity of [1, 3]) await partner.call('SetCartItem', { variant_id: variant.id, quantity });
      return call(lock);
    },
    'BUSINESS_CART_EMPTY: an empty cart': async (use) => begun(use.partner()),
    'BUSINESS_CART_EMPTY: a cart that was checked out': async (use) => begun((await committed(use)).partner),
    'CONFLICT_CART_HAS_PENDING_ORDER: a cart that another order holds': (_, { partner, call }) =>
      whileBegun(partner, () => call()),
    'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: an unknown code': { discount_code: 'NO-SUCH' },
    'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: one that wants more in the cart': async (_, { partner, call }) =>
      call({ discount_code: (await aCode(partner, { min_order_value: '1000.00' })).code }),
    'BUSINESS_PRICE_BELOW_COST: a cost above the price': afterChange({ cost: '100.01' }),
    'BUSINESS_MARGIN_BELOW_FLOOR: a cost that leaves less than 5 % after commission': afterChange({
      cost: '85.01',
    }),
    'BUSINESS_MARGIN_BELOW_FLOOR: also with a lock': [
      ['PreviewCheckout', { lock: true }],
      ['UpdateVariant', { cost: '85.01' }],
      (_, [preview]) => ({ lock_id: preview?.lock_id }),
    ],
    ...withoutRate,
    'BUSINESS_INSUFFICIENT_STOCK: more than is there': afterChange({ stock_on_hand: 2 }),
    'BUSINESS_INSUFFICIENT_STOCK: a variant that became inactive': afterChange({ is_active: false }),
    'VALIDATION_PRICE_LOCK_EXPIRED: A lock lives 15 minutes, and nothing outside makes one older.':
      UNREACHABLE,
    'CONFLICT_CART_CHECKOUT_RACE: The cart must change within the call, between its reading and freezing.':
      UNREACHABLE,
  }),

  CommitCheckout: checkoutRpc(['BeginCheckout'], {
    'the units leave the stock, the cart is used up, the discount counts; safe to repeat': async (use) => {
      const { partner, variant, request, checkout, code } = await committed(use);
      const { id, items } = await cartOf(partner);
      expect(id).not.toBe(checkout.cart_id);
      const again = await partner.call('CommitCheckout', request);
      return { again, items, stock: await stockOf(use, variant), usage: await usageOf(partner, code) };
    },
    'CONFLICT_ORDER_STATE: one that never began': NEVER_BEGUN,
    'CONFLICT_ORDER_STATE: one that was cancelled': ['CancelCheckout', {}],
  }),

  CancelCheckout: checkoutRpc(['BeginCheckout'], {
    'the cart is open again with its lines, stock and slot are given back; safe to repeat': async (use) => {
      const { partner, variant, cart } = await withCart(use, 3);
      const code = await aCode(partner, { total_usage_cap: 1 });
      const discount = { discount_code: code.code };
      const lock = await lockOf(partner, discount);
      const { request } = await begun(partner, discount);
      const reply = await partner.twice('CancelCheckout', request);
      expect(await cartOf(partner)).toMatchObject({ id: cart.id, items: cart.items });
      // A lock on it stays good.
      await whileBegun(partner, async () => undefined, lock);
      return { reply, stock: await stockOf(use, variant), usage: await usageOf(partner, code) };
    },
    'succeeds for one that never began, and bars its key': [
      { order_key: NEW },
      ['BeginCheckout', { order_key: NEW }],
      { order_key: NEW },
    ],
    'CONFLICT_ORDER_STATE: one that was committed': ['CommitCheckout', {}],
  }),

  RestockUnits: checkoutRpc(['BeginCheckout', 'CommitCheckout'], {
    'puts units back, once for each key, whatever a repetition says': async (use, { variant, call }) => {
      const restock = async (quantity: number, restock_key: string) => [
        await call({ restock_key, lines: [{ variant_id: variant.id, quantity }] }),
        await stockOf(use, variant),
      ];
      return [await restock(2, 'group-1'), await restock(1, 'group-1'), await restock(1, 'group-2')];
    },
    'CONFLICT_ORDER_STATE: one that is not committed': NEVER_BEGUN,
    'CONFLICT_ORDER_STATE: more units than were taken': [
      ({ lines }) => ({ lines: (lines as Message[]).map((line) => ({ ...line, quantity: 4 })) }),
    ],
  }),

  GiveBackRedemption: checkoutRpc(['BeginCheckout', 'CommitCheckout'], {
    'gives the discount’s use back, once': async (use) => {
      const { partner, request, code } = await committed(use);
      return [await partner.twice('GiveBackRedemption', request), await usageOf(partner, code)];
    },
    'does nothing for an order without a discount': {},
    'CONFLICT_ORDER_STATE: one that is not committed': NEVER_BEGUN,
  }),
});

/** Where checkouts stand, for whoever compares them with orders. */
export const checkoutStates = service('CheckoutStateService', {
  ListCheckoutStates: rpc((world) => [world], {
    'returns where each checkout stands, of any partner, and leaves out unknown keys': async (use) => {
      const done = await committed(use);
      const ended = { order_key: `ORD-${uuidv7()}` };
      await use.partner().call('CancelCheckout', ended);
      const { partner } = await withCart(use);
      return whileBegun(partner, async ({ order_key }) => {
        const keys = [order_key, done.request.order_key, ended.order_key];
        const found = await use.list(use.rpc, { keys: [...keys, UNKNOWN] });
        return found.sort((a, b) => keys.indexOf(a.key) - keys.indexOf(b.key));
      });
    },
  }),
  ListCheckoutKeys: walksKeys(
    'lists keys that are begun or committed in their order, after one',
    async (world) => {
      const live = [await committed(world), await committed(world)].map(({ request }) => request.order_key);
      const ended = `ORD-${uuidv7()}`;
      await world.partner().call('CancelCheckout', { order_key: ended });
      return { live, ended };
    },
  ),
});
