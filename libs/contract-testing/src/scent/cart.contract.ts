import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { list, part, text } from '../message';
import { elsewhere, newPartner, type Partner, type World } from '../world';
import {
  aCode,
  add,
  aVariant,
  begun,
  change,
  knownPartner,
  partnerWithoutRate,
  withCart,
  withoutRate,
} from './arrange';

const at = (rpc: string): string => `CartService.${rpc}`;
const unknown = uuidv7();

const badCustomer = (rpc: string, request: Message = {}): Cases => ({
  'an empty customer_ref': (world) =>
    world.call(at(rpc), { ...request, customer_ref: '' }, newPartner().caller),
  'a customer_ref of 129 characters': (world) =>
    world.call(at(rpc), { ...request, customer_ref: 'x'.repeat(129) }, newPartner().caller),
});

const cartOf = async (world: World, { caller }: Partner, more: Message = {}): Promise<Message> =>
  part(await world.call(at('GetCart'), more, caller), 'cart');

/** A change of a cart that an order runs on. */
const whilePending = (rpc: string, request: (variant: Message) => Message): Cases => ({
  'a cart that an order runs on': async (world) => {
    const { partner, variant } = await withCart(world);
    const { named } = await begun(world, partner);
    try {
      return await world.call(at(rpc), request(variant), partner.caller);
    } finally {
      await world.call('CheckoutService.CancelCheckout', named);
    }
  },
});

const notApplicable = (rpc: string, request: (variant: Message) => Message): Cases => ({
  'an unknown code': async (world) => {
    const { partner, variant } = await withCart(world);
    return world.call(at(rpc), { ...request(variant), discount_code: 'NO-SUCH' }, partner.caller);
  },
  'another partner’s code': async (world) => {
    const { partner, variant } = await withCart(world);
    const { code } = await aCode(world, newPartner());
    return world.call(at(rpc), { ...request(variant), discount_code: code }, partner.caller);
  },
});

/** 100.00 each, at 15 % VAT and 10 % commission, unless the variant bears none. */
function expectFigures(line: Message | undefined, quantity: number, isTaxed: boolean): void {
  const goods = 100 * quantity;
  const vat = isTaxed ? goods * 0.15 : 0;
  expect(line).toMatchObject({
    quantity,
    list_price: '100.00',
    line_goods_vat_amount: vat.toFixed(2),
    line_total_with_vat: (goods + vat).toFixed(2),
    line_commission: (goods * 0.1).toFixed(2),
    line_commission_vat_amount: (goods * 0.1 * 0.15).toFixed(2),
    line_net_after_commission: (goods + vat - goods * 0.115).toFixed(2),
    insufficient_for_quantity: false,
  });
}

/** Carts of the partner of the metadata. */
export const carts: ServiceContract = {
  service: 'CartService',
  speaksFor: 'the partner of the metadata',
  rpcs: {
    AddCartItem: {
      promises: {
        'adds a variant, raises its line, and prices the cart for that partner': async (world) => {
          const { partner, variant, cart } = await withCart(world, 2);
          const raised = await add(world, partner, variant, 1);
          expect(raised['id']).toBe(cart['id']);
          const isTaxed = variant['tax_classification'] === 'TAX_CLASSIFICATION_STANDARD';
          const [line] = list(raised, 'items');
          expectFigures(line, 3, isTaxed);
          expect(raised).toMatchObject({
            partner_id: partner.id,
            status: 'CART_STATUS_OPEN',
            currency: 'SAR',
            display_rate: null,
            totals: { charged_with_vat: line?.['line_total_with_vat'], commission_with_vat: '34.50' },
          });
        },
        'two adds at the same instant both count': async (world) => {
          const { partner, variant } = await withCart(world, 1);
          await Promise.all([add(world, partner, variant, 2), add(world, partner, variant, 3)]);
          const cart = await cartOf(world, partner);
          expect(list(cart, 'items')).toMatchObject([{ quantity: 6 }]);
        },
        'more than is available is allowed, and said': async (world) => {
          const partner = await knownPartner(world);
          const cart = await add(world, partner, await aVariant(world, { stock_on_hand: 4 }), 5);
          expect(list(cart, 'items')).toMatchObject([
            { available_quantity: 4, insufficient_for_quantity: true, availability: 'AVAILABILITY_LIMITED' },
          ]);
        },
        'answered SERVICE_UNAVAILABLE, it added the units nevertheless': async (world) => {
          const { caller, id } = await partnerWithoutRate(world);
          const request = { variant_id: (await aVariant(world))['id'], quantity: 2 };
          await expect(world.call(at('AddCartItem'), request, caller)).rejects.toMatchObject({
            code: 'SERVICE_UNAVAILABLE',
          });
          world.dependency('finance').recover();
          expect(list(await cartOf(world, { caller } as Partner), 'items')).toMatchObject([{ quantity: 2 }]);
          expect(id).toBeDefined();
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          ...badCustomer('AddCartItem', { variant_id: unknown, quantity: 1 }),
          'a quantity of nothing': async (world) => add(world, newPartner(), await aVariant(world), 0),
          'a line of more than 999 units': async (world) => {
            const { partner, variant } = await withCart(world, 999);
            return add(world, partner, variant, 1);
          },
        },
        NOT_FOUND_VARIANT: {
          'an unknown one': (world) => add(world, newPartner(), { id: unknown }),
          'an inactive one': async (world) =>
            add(world, newPartner(), await aVariant(world, { is_active: false })),
        },
        CONFLICT_CART_HAS_PENDING_ORDER: whilePending('AddCartItem', ({ id }) => ({
          variant_id: id,
          quantity: 1,
        })),
        SERVICE_UNAVAILABLE: withoutRate(at('AddCartItem'), async (world) => ({
          variant_id: (await aVariant(world))['id'],
          quantity: 1,
        })),
      },
    },
    SetCartItem: {
      promises: {
        'sets the quantity, safe to repeat, and removes the line at 0': async (world) => {
          const { partner, variant } = await withCart(world, 2);
          const set = (quantity: number) =>
            world.call(at('SetCartItem'), { variant_id: variant['id'], quantity }, partner.caller);
          for (const answer of [await set(5), await set(5)])
            expect(list(part(answer, 'cart'), 'items')).toMatchObject([{ quantity: 5 }]);
          expect(part(await set(0), 'cart')).toMatchObject({
            items: [],
            totals: {
              charged_with_vat: '0.00',
              commission_with_vat: '0.00',
              net_after_commission: '0.00',
            },
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'more than 999': async (world) => {
            const { partner, variant } = await withCart(world);
            const request = { variant_id: variant['id'], quantity: 1000 };
            return world.call(at('SetCartItem'), request, partner.caller);
          },
        },
        NOT_FOUND_CART_ITEM: {
          'a variant that is not in the cart': async (world) => {
            const { partner } = await withCart(world);
            const request = { variant_id: (await aVariant(world))['id'], quantity: 1 };
            return world.call(at('SetCartItem'), request, partner.caller);
          },
        },
        CONFLICT_CART_HAS_PENDING_ORDER: whilePending('SetCartItem', ({ id }) => ({
          variant_id: id,
          quantity: 2,
        })),
        SERVICE_UNAVAILABLE: {
          'finance away, for a partner with a display currency': async (world) => {
            const { partner, variant } = await withCartWithoutRate(world);
            const request = { variant_id: variant['id'], quantity: 2 };
            return world.call(at('SetCartItem'), request, partner.caller);
          },
        },
      },
    },
    RemoveCartItem: {
      promises: {
        'removes the line': async (world) => {
          const { partner, variant } = await withCart(world);
          const request = { variant_id: variant['id'] };
          const answer = await world.call(at('RemoveCartItem'), request, partner.caller);
          expect(part(answer, 'cart')['items']).toEqual([]);
        },
      },
      refuses: {
        VALIDATION_FAILED: badCustomer('RemoveCartItem', { variant_id: unknown }),
        NOT_FOUND_CART_ITEM: {
          'a repetition': async (world) => {
            const { partner, variant } = await withCart(world);
            const request = { variant_id: variant['id'] };
            await world.call(at('RemoveCartItem'), request, partner.caller);
            return world.call(at('RemoveCartItem'), request, partner.caller);
          },
        },
        CONFLICT_CART_HAS_PENDING_ORDER: whilePending('RemoveCartItem', ({ id }) => ({ variant_id: id })),
        SERVICE_UNAVAILABLE: {
          'finance away, for a partner with a display currency': async (world) => {
            const { partner, variant } = await withCartWithoutRate(world);
            return world.call(at('RemoveCartItem'), { variant_id: variant['id'] }, partner.caller);
          },
        },
      },
    },
    GetCart: {
      promises: {
        'makes an open cart where there is none, and answers the same from then on': async (world) => {
          const partner = newPartner();
          const cart = await cartOf(world, partner);
          expect(cart).toMatchObject({ partner_id: partner.id, status: 'CART_STATUS_OPEN', items: [] });
          expect((await cartOf(world, partner))['id']).toBe(cart['id']);
        },
        'each customer, partner and environment has one of its own': async (world) => {
          const partner = newPartner();
          const carts = [
            await cartOf(world, partner),
            await cartOf(world, partner, { customer_ref: 'c-1' }),
            await cartOf(world, partner, { customer_ref: 'C-1' }),
            await cartOf(world, newPartner(), { customer_ref: 'c-1' }),
            await cartOf(world, elsewhere(partner)),
          ];
          expect(new Set(carts.map(({ id }) => id)).size).toBe(5);
          expect(carts[1]).toMatchObject({ customer_ref: 'c-1' });
        },
        'keeps the order in which variants were first added, and shows who became inactive': async (
          world,
        ) => {
          const { partner, variant } = await withCart(world);
          const second = await aVariant(world);
          await add(world, partner, second, 2);
          await add(world, partner, variant, 1);
          await change(world, second['id'], { is_active: false });
          expect(list(await cartOf(world, partner), 'items')).toMatchObject([
            { variant_id: variant['id'], quantity: 2 },
            {
              variant_id: second['id'],
              availability: 'AVAILABILITY_UNAVAILABLE',
              insufficient_for_quantity: true,
            },
          ]);
        },
        'shows the partner’s display rate, and marketing where it has the feature': async (world) => {
          const { partner } = await withCart(world, 1, { display_currency: 'USD', marketing_enabled: true });
          expect(await cartOf(world, partner)).toMatchObject({
            display_rate: { currency: 'USD' },
            items: [{ marketing: { current_price: '100.00' } }],
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: badCustomer('GetCart'),
        SERVICE_UNAVAILABLE: withoutRate(at('GetCart'), async () => ({})),
      },
    },
    ClearCart: {
      promises: {
        'removes every line; the cart stays the same; safe to repeat': async (world) => {
          const { partner, cart } = await withCart(world);
          for (const _ of ['once', 'again']) {
            const answer = await world.call(at('ClearCart'), {}, partner.caller);
            expect(part(answer, 'cart')).toMatchObject({ id: cart['id'], items: [] });
          }
        },
      },
      refuses: {
        VALIDATION_FAILED: badCustomer('ClearCart'),
        CONFLICT_CART_HAS_PENDING_ORDER: whilePending('ClearCart', () => ({})),
        SERVICE_UNAVAILABLE: withoutRate(at('ClearCart'), async () => ({})),
      },
    },
    PreviewCheckout: {
      promises: {
        'takes a discount off and shows its figures, without a lock unless asked': async (world) => {
          const { partner } = await withCart(world, 2);
          const { code } = await aCode(world, partner);
          const request = { discount_code: String(code).toLowerCase() };
          const answer = await world.call(at('PreviewCheckout'), request, partner.caller);
          expect(answer).toMatchObject({
            discount: { code, discount_type: 'DISCOUNT_TYPE_PERCENT', amount: '20.00' },
            lock_expires_at: null,
          });
          expect(answer).not.toHaveProperty('lock_id');
        },
        'each lock asked for is a new one, and lasts': async (world) => {
          const { partner } = await withCart(world);
          const locked = () => world.call(at('PreviewCheckout'), { lock: true }, partner.caller);
          const [one, other] = [await locked(), await locked()];
          expect(one['lock_id']).not.toBe(other['lock_id']);
          expect(Date.parse(text(one, 'lock_expires_at'))).toBeGreaterThan(Date.now());
          expect(one['discount']).toBeNull();
        },
      },
      refuses: {
        VALIDATION_FAILED: badCustomer('PreviewCheckout'),
        BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: notApplicable('PreviewCheckout', () => ({})),
        BUSINESS_CART_EMPTY: {
          'a lock on an empty cart': (world) =>
            world.call(at('PreviewCheckout'), { lock: true }, newPartner().caller),
        },
        SERVICE_UNAVAILABLE: withoutRate(at('PreviewCheckout'), async () => ({})),
      },
    },
    QuotePrice: {
      promises: {
        'prices lines that are in no cart, in the order asked for': async (world) => {
          const partner = await knownPartner(world);
          const [a, b] = [await aVariant(world), await aVariant(world)];
          const { code } = await aCode(world, partner, {
            discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT',
            value: '30',
          });
          const lines = [
            { variant_id: b['id'], quantity: 2 },
            { variant_id: a['id'], quantity: 1 },
          ];
          const plain = await world.call(at('QuotePrice'), { lines }, partner.caller);
          expect(list(plain, 'items').map(({ variant_id }) => variant_id)).toEqual([b['id'], a['id']]);
          expectFigures(
            list(plain, 'items')[0],
            2,
            b['tax_classification'] === 'TAX_CLASSIFICATION_STANDARD',
          );
          expect(plain).toMatchObject({ currency: 'SAR', discount: null });
          const less = await world.call(
            at('QuotePrice'),
            { lines, discount_code: code, customer_ref: 'c-1' },
            partner.caller,
          );
          expect(less['discount']).toMatchObject({
            discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT',
            value: '30.00',
            amount: '30.00',
          });
          expect(list(await cartOf(world, partner), 'items')).toEqual([]);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'no lines': (world) => world.call(at('QuotePrice'), { lines: [] }, newPartner().caller),
          'a variant twice': async (world) => {
            const line = { variant_id: (await aVariant(world))['id'], quantity: 1 };
            return world.call(at('QuotePrice'), { lines: [line, line] }, newPartner().caller);
          },
        },
        NOT_FOUND_VARIANT: {
          'an unknown one': (world) =>
            world.call(
              at('QuotePrice'),
              { lines: [{ variant_id: unknown, quantity: 1 }] },
              newPartner().caller,
            ),
          'an inactive one': async (world) => {
            const { id } = await aVariant(world, { is_active: false });
            const lines = [{ variant_id: id, quantity: 1 }];
            return world.call(at('QuotePrice'), { lines }, newPartner().caller);
          },
        },
        BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: notApplicable('QuotePrice', ({ id }) => ({
          lines: [{ variant_id: id, quantity: 1 }],
        })),
        SERVICE_UNAVAILABLE: withoutRate(at('QuotePrice'), async (world) => ({
          lines: [{ variant_id: (await aVariant(world))['id'], quantity: 1 }],
        })),
      },
    },
  },
};

/** A cart whose partner's display rate cannot be answered any more. */
async function withCartWithoutRate(world: World) {
  world.dependency('finance').recover();
  const made = await withCart(world, 1, { display_currency: 'JPY' });
  world.dependency('finance').fail('getRate', 'SERVICE_UNAVAILABLE', Number.POSITIVE_INFINITY, 'JPY');
  return made;
}
