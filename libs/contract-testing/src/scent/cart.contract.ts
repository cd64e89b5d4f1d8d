import { expect, partnerService, rpc, UNKNOWN } from '../prelude';
import type { Case, Message, Sentences, World } from '../prelude';
import { aCode, add, aVariant, cartOf, change, FIXED, inactive, knownPartner, lockOf } from './arrange';
import { whileBegun, withCart, withoutRate } from './arrange';

const lineOf = ({ id }: Message, quantity = 2): Message => ({ variant_id: id, quantity });

/** What every change of a cart has in common. */
const anyChange: Sentences = {
  'CONFLICT_CART_HAS_PENDING_ORDER: a cart that an order runs on': (_, { partner, call }) =>
    whileBegun(partner, () => call()),
  ...withoutRate,
};

const notApplicable: Sentences = {
  'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: an unknown code': { discount_code: 'NO-SUCH' },
  'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: another partner’s code': async (use, { call }) =>
    call({ discount_code: (await aCode(use.partner())).code }),
};

const notInTheCart: Case = async (use, { call }) => call({ variant_id: (await aVariant(use)).id });

const withLock = async (world: World) => {
  const { partner, request } = await withCart(world);
  return { partner, request: { ...request, ...(await lockOf(partner)) } };
};

/** Carts of the partner of the metadata. */
export const carts = partnerService('CartService', {
  AddCartItem: rpc(withCart, {
    'adds a variant, raises its line, and prices the cart for that partner': {},
    'a variant of the class ZERO bears no VAT': async (use) =>
      add(await knownPartner(use), await aVariant(use, {}, 'ZERO')),
    'two adds at the same instant both count': async (_, { partner, variant }) => {
      await Promise.all([add(partner, variant, 2), add(partner, variant, 3)]);
      expect(await cartOf(partner)).toMatchObject({ items: [{ quantity: 6 }] });
    },
    'more than is available is allowed, and said': async (use) =>
      add(await knownPartner(use), await aVariant(use, { stock_on_hand: 4 }), 5),
    'with finance away, it adds the units and shows the last known rate': async (use) => {
      const partner = await knownPartner(use, { display_currency: 'CHF' });
      const { display_rate } = await cartOf(partner);
      const variant = await aVariant(use);
      const added = () => partner.get('AddCartItem', lineOf(variant));
      const cart = await use.whileFailing('finance', 'getRate', added, 'CHF');
      expect(cart).toMatchObject({ items: [{ quantity: 2 }], display_rate });
    },
    'VALIDATION_FAILED: a line of more than 999 units': { quantity: 999 },
    'NOT_FOUND_VARIANT: an inactive one': inactive,
    ...anyChange,
  }),
  SetCartItem: rpc(withCart, {
    'sets the quantity, safe to repeat, and removes the line at 0': [5, 5, 0].map((quantity) => ({
      quantity,
    })),
    'NOT_FOUND_CART_ITEM: a variant that is not in the cart': notInTheCart,
    ...anyChange,
  }),
  RemoveCartItem: rpc(withCart, {
    'removes the line': {},
    ...anyChange,
  }),
  GetCart: rpc(withCart, {
    'makes an open cart where there is none': (use) => cartOf(use.partner()),
    'each customer, partner and environment has one of its own': async (use) => {
      const partner = use.partner();
      const customer = { customer_ref: 'c-1' };
      return [
        await cartOf(partner, customer),
        await cartOf(partner),
        await cartOf(partner, { customer_ref: 'C-1' }),
        await cartOf(use.partner(), customer),
        await cartOf(partner.elsewhere()),
      ].map(({ id, customer_ref }) => ({ id, customer_ref }));
    },
    'keeps the order of adding, and shows what became inactive': async (use, { partner, variant }) => {
      const second = await aVariant(use);
      await add(partner, second, 2);
      await add(partner, variant);
      await change(use, second, { is_active: false });
      return (await cartOf(partner)).items;
    },
    'shows the partner’s display rate, and marketing where it has the feature': async (use) => {
      const settings = { display_currency: 'USD', marketing_enabled: true };
      const { partner, variant } = await withCart(use, 1, settings);
      for (const list_price of ['120.00', '100.00']) await change(use, variant, { list_price });
      return cartOf(partner);
    },
    ...withoutRate,
  }),
  ClearCart: rpc(withCart, {
    'removes every line; the cart stays the same; safe to repeat': ['GetCart', {}, {}],
    ...anyChange,
  }),
  PreviewCheckout: rpc(withCart, {
    'takes a discount off and shows its figures, without a lock unless one is wanted': async (_, given) => {
      const { code } = await aCode(given.partner);
      const preview = await given.call({ discount_code: String(code).toLowerCase() });
      expect(preview).toMatchObject({ discount: { code } });
      return preview;
    },
    'each lock that is wanted is a new one, and lasts': async (_, { call }) => {
      const locks = [await call({ lock: true }), await call({ lock: true })];
      expect(Date.parse(String(locks[0]?.lock_expires_at))).toBeGreaterThan(Date.now());
      return locks;
    },
    'explains the prices where that is wanted': async (use) => {
      const { partner } = await withCart(use, 3);
      const { code } = await aCode(partner, { discount_type: FIXED, value: '20' });
      return (await partner.call(use.rpc, { discount_code: code, explain: true })).explanation;
    },
    ...notApplicable,
    'BUSINESS_CART_EMPTY: a lock on an empty cart': (use) =>
      use.partner().call('PreviewCheckout', { lock: true }),
    ...withoutRate,
  }),
  ExpireSandboxPriceLock: rpc(withLock, {
    'ends the lock now': async (_, { call }) =>
      expect(Date.parse(String((await call()).lock_expires_at))).toBeLessThanOrEqual(Date.now() + 1_000),
    'NOT_FOUND_PRICE_LOCK: one whose cart has changed': ['AddCartItem', {}],
    'NOT_FOUND_PRICE_LOCK: one that an order used': ['BeginCheckout', 'CommitCheckout', {}],
  }),
  QuotePrice: rpc(withCart, {
    'prices lines that are in no cart, in their order': async (use) => {
      const partner = await knownPartner(use, { display_currency: 'USD' });
      const [a, b] = [await aVariant(use, { rrp: '150.00' }), await aVariant(use)];
      const { code } = await aCode(partner, { discount_type: FIXED, value: '30' });
      const lines = [lineOf(b), lineOf(a, 1)];
      const discounted = { lines, discount_code: code, customer_ref: 'c-1' };
      const quotes = [await partner.call(use.rpc, { lines }), await partner.call(use.rpc, discounted)];
      expect(await cartOf(partner)).toMatchObject({ items: [] });
      return [b.id, a.id, ...quotes];
    },
    'explains the prices where that is wanted': { explain: true },
    'NOT_FOUND_VARIANT: an unknown one': { lines: [{ variant_id: UNKNOWN, quantity: 1 }] },
    'NOT_FOUND_VARIANT: an inactive one': inactive,
    ...notApplicable,
    ...withoutRate,
  }),
});
