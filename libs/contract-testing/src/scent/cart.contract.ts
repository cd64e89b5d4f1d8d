import { expect } from '@jest/globals';
import type { Case, Message } from '../contract';
import { partnerService, rpc, type Sentences } from '../notation';
import type { Party } from '../party';
import { UNKNOWN } from '../variations';
import { refusalOf, type World } from '../world';
import {
  aCode,
  add,
  aVariant,
  cartOf,
  change,
  isTaxed,
  knownPartner,
  whileBegun,
  withCart,
  withoutRate,
} from './arrange';

/** A call on a cart with one unit of a variant. */
const onCart =
  (request: (variant: Message) => Message = () => ({})) =>
  async (world: World) => {
    const { partner, variant } = await withCart(world);
    return [partner, request(variant)] as const;
  };

const lineOf = ({ id }: Message): Message => ({ variant_id: id, quantity: 2 });

const badCustomer: Sentences = {
  'VALIDATION_FAILED: an empty customer_ref': { customer_ref: '' },
  'VALIDATION_FAILED: a customer_ref of 129 characters': { customer_ref: 'x'.repeat(129) },
};

/** What every change of a cart has in common. */
const anyChange: Sentences = {
  'CONFLICT_CART_HAS_PENDING_ORDER: a cart that an order runs on': async (use) => {
    const { who, call } = await use.given();
    return whileBegun(who as Party, () => call());
  },
  ...withoutRate,
};

const notApplicable: Sentences = {
  'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: an unknown code': { discount_code: 'NO-SUCH' },
  'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: another partner’s code': async (use) =>
    (await use.given()).call({ discount_code: (await aCode(use.partner())).code }),
};

const notInTheCart: Case = async (use) => (await use.given()).call({ variant_id: (await aVariant(use)).id });

/** 100.00 each, at 15 % VAT and 10 % commission, unless the variant bears none. */
function figuresOf(quantity: number, variant: Message): Message {
  const goods = 100 * quantity;
  const vat = isTaxed(variant) ? goods * 0.15 : 0;
  return {
    quantity,
    list_price: '100.00',
    line_goods_vat_amount: vat.toFixed(2),
    line_total_with_vat: (goods + vat).toFixed(2),
    line_commission: (goods * 0.1).toFixed(2),
    line_commission_vat_amount: (goods * 0.1 * 0.15).toFixed(2),
    line_net_after_commission: (goods + vat - goods * 0.115).toFixed(2),
    insufficient_for_quantity: false,
  };
}

/** Carts of the partner of the metadata. */
export const carts = partnerService('CartService', {
  AddCartItem: rpc(onCart(lineOf), {
    'adds a variant, raises its line, and prices the cart for that partner': async (use) => {
      const { partner, variant, cart } = await withCart(use, 2);
      const line = figuresOf(3, variant);
      expect(await add(partner, variant)).toMatchObject({
        id: cart.id,
        partner_id: partner.id,
        status: 'CART_STATUS_OPEN',
        currency: 'SAR',
        display_rate: null,
        items: [line],
        totals: { charged_with_vat: line.line_total_with_vat, commission_with_vat: '34.50' },
      });
    },
    'two adds at the same instant both count': async (use) => {
      const { partner, variant } = await withCart(use, 1);
      await Promise.all([add(partner, variant, 2), add(partner, variant, 3)]);
      expect(await cartOf(partner)).toMatchObject({ items: [{ quantity: 6 }] });
    },
    'more than is available is allowed, and said': async (use) => {
      const variant = await aVariant(use, { stock_on_hand: 4 });
      expect(await add(await knownPartner(use), variant, 5)).toMatchObject({
        items: [
          { available_quantity: 4, insufficient_for_quantity: true, availability: 'AVAILABILITY_LIMITED' },
        ],
      });
    },
    'answered SERVICE_UNAVAILABLE, it added the units nevertheless': async (use) => {
      const partner = await knownPartner(use, { display_currency: 'JPY' });
      const variant = await aVariant(use);
      const failing = { dependency: 'finance', method: 'getRate', of: 'JPY' };
      const refusal = await refusalOf(use.whileFailing(failing, () => add(partner, variant, 2)));
      expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(await cartOf(partner)).toMatchObject({ items: [{ quantity: 2 }] });
    },
    ...badCustomer,
    'VALIDATION_FAILED: a quantity of nothing': { quantity: 0 },
    'VALIDATION_FAILED: a line of more than 999 units': { quantity: 999 },
    'NOT_FOUND_VARIANT: an unknown one': { variant_id: UNKNOWN },
    'NOT_FOUND_VARIANT: an inactive one': async (use) =>
      add(use.partner(), await aVariant(use, { is_active: false })),
    ...anyChange,
  }),
  SetCartItem: rpc(onCart(lineOf), {
    'sets the quantity, safe to repeat, and removes the line at 0': async (use) => {
      const { call } = await use.given();
      for (const quantity of [5, 5])
        expect((await call({ quantity })).cart).toMatchObject({ items: [{ quantity: 5 }] });
      expect((await call({ quantity: 0 })).cart).toMatchObject({
        items: [],
        totals: { charged_with_vat: '0.00', commission_with_vat: '0.00', net_after_commission: '0.00' },
      });
    },
    'VALIDATION_FAILED: more than 999': { quantity: 1000 },
    'NOT_FOUND_CART_ITEM: a variant that is not in the cart': notInTheCart,
    ...anyChange,
  }),
  RemoveCartItem: rpc(onCart(lineOf), {
    'removes the line': async (use) =>
      expect((await (await use.given()).call()).cart).toMatchObject({ items: [] }),
    ...badCustomer,
    'NOT_FOUND_CART_ITEM: a repetition': async (use) => {
      const { call } = await use.given();
      await call();
      return call();
    },
    ...anyChange,
  }),
  GetCart: rpc(onCart(), {
    'makes an open cart where there is none, and answers the same from then on': async (use) => {
      const partner = use.partner();
      const cart = await cartOf(partner);
      expect(cart).toMatchObject({ partner_id: partner.id, status: 'CART_STATUS_OPEN', items: [] });
      expect((await cartOf(partner)).id).toBe(cart.id);
    },
    'each customer, partner and environment has one of its own': async (use) => {
      const partner = use.partner();
      const one = await cartOf(partner, { customer_ref: 'c-1' });
      const others = [
        await cartOf(partner),
        await cartOf(partner, { customer_ref: 'C-1' }),
        await cartOf(use.partner(), { customer_ref: 'c-1' }),
        await cartOf(partner.elsewhere()),
      ];
      expect(new Set([one, ...others].map(({ id }) => id)).size).toBe(5);
      expect(one).toMatchObject({ customer_ref: 'c-1' });
    },
    'keeps the order in which variants were first added, and shows who became inactive': async (use) => {
      const { partner, variant } = await withCart(use);
      const second = await aVariant(use);
      await add(partner, second, 2);
      await add(partner, variant);
      await change(use, second, { is_active: false });
      const gone = { availability: 'AVAILABILITY_UNAVAILABLE', insufficient_for_quantity: true };
      expect(await cartOf(partner)).toMatchObject({
        items: [
          { variant_id: variant.id, quantity: 2 },
          { variant_id: second.id, ...gone },
        ],
      });
    },
    'shows the partner’s display rate, and marketing where it has the feature': async (use) => {
      const { partner } = await withCart(use, 1, { display_currency: 'USD', marketing_enabled: true });
      expect(await cartOf(partner)).toMatchObject({
        display_rate: { currency: 'USD' },
        items: [{ marketing: { current_price: '100.00' } }],
      });
    },
    ...badCustomer,
    ...withoutRate,
  }),
  ClearCart: rpc(onCart(), {
    'removes every line; the cart stays the same; safe to repeat': async (use) => {
      const { partner, cart } = await withCart(use);
      for (const _ of ['once', 'again'])
        expect(await partner.get('ClearCart')).toMatchObject({ id: cart.id, items: [] });
    },
    ...badCustomer,
    ...anyChange,
  }),
  PreviewCheckout: rpc(onCart(), {
    'takes a discount off and shows its figures, without a lock unless asked': async (use) => {
      const { partner } = await withCart(use, 2);
      const { code } = await aCode(partner);
      const preview = await partner.call('PreviewCheckout', { discount_code: String(code).toLowerCase() });
      expect(preview).toMatchObject({
        discount: { code, discount_type: 'DISCOUNT_TYPE_PERCENT', amount: '20.00' },
        lock_expires_at: null,
      });
      expect(preview).not.toHaveProperty('lock_id');
    },
    'each lock asked for is a new one, and lasts': async (use) => {
      const { call } = await use.given();
      const [one, other] = [await call({ lock: true }), await call({ lock: true })];
      expect(one.lock_id).not.toBe(other.lock_id);
      expect(Date.parse(String(one.lock_expires_at))).toBeGreaterThan(Date.now());
      expect(one.discount).toBeNull();
    },
    ...badCustomer,
    ...notApplicable,
    'BUSINESS_CART_EMPTY: a lock on an empty cart': (use) =>
      use.partner().call('PreviewCheckout', { lock: true }),
    ...withoutRate,
  }),
  QuotePrice: rpc(
    onCart((variant) => ({ lines: [lineOf(variant)] })),
    {
      'prices lines that are in no cart, in the order asked for': async (use) => {
        const partner = await knownPartner(use);
        const [a, b] = [await aVariant(use), await aVariant(use)];
        const { code } = await aCode(partner, { discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT', value: '30' });
        const lines = [lineOf(b), { variant_id: a.id, quantity: 1 }];
        expect(await partner.call('QuotePrice', { lines })).toMatchObject({
          items: [{ variant_id: b.id, ...figuresOf(2, b) }, { variant_id: a.id }],
          currency: 'SAR',
          discount: null,
        });
        const discounted = { lines, discount_code: code, customer_ref: 'c-1' };
        expect(await partner.call('QuotePrice', discounted)).toMatchObject({
          discount: { discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT', value: '30.00', amount: '30.00' },
        });
        expect(await cartOf(partner)).toMatchObject({ items: [] });
      },
      'VALIDATION_FAILED: no lines': { lines: [] },
      'VALIDATION_FAILED: a variant twice': async (use) => {
        const line = lineOf(await aVariant(use));
        return use.partner().call('QuotePrice', { lines: [line, line] });
      },
      'NOT_FOUND_VARIANT: an unknown one': { lines: [{ variant_id: UNKNOWN, quantity: 1 }] },
      'NOT_FOUND_VARIANT: an inactive one': async (use) => {
        const variant = await aVariant(use, { is_active: false });
        return use.partner().call('QuotePrice', { lines: [lineOf(variant)] });
      },
      ...notApplicable,
      ...withoutRate,
    },
  ),
});
