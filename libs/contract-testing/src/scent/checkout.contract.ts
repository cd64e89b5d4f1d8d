import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { FAKE_RATE } from '../finance/fake-finance';
import { list, part, text } from '../message';
import { elsewhere, newPartner, refusalOf, type Partner, type World } from '../world';
import {
  aCode,
  add,
  aVariant,
  begun,
  change,
  checkoutOf,
  knownPartner,
  partnerWithoutRate,
  withCart,
} from './arrange';

const at = (rpc: string): string => `CheckoutService.${rpc}`;
const commit = (world: World, named: Message) => world.call(at('CommitCheckout'), named);
const cancel = (world: World, named: Message) => world.call(at('CancelCheckout'), named);
const begin = (world: World, partner: Partner, more: Message = {}) =>
  world.call(at('BeginCheckout'), { ...checkoutOf(partner), ...more });

const stockOf = async (world: World, { id }: Message): Promise<[unknown, unknown]> => {
  const read = await world.call('CatalogOperationsService.GetStockedVariant', { variant_id: id });
  const variant = part(read, 'variant');
  return [variant['stock_on_hand'], variant['stock_reserved']];
};

const cartOf = async (world: World, { caller }: Partner): Promise<Message> =>
  part(await world.call('CartService.GetCart', {}, caller), 'cart');

const lockOf = async (world: World, { caller }: Partner, discount_code?: unknown): Promise<string> =>
  text(
    await world.call(
      'CartService.PreviewCheckout',
      { lock: true, ...(discount_code === undefined ? {} : { discount_code }) },
      caller,
    ),
    'lock_id',
  );

const usageOf = async (world: World, { caller }: Partner, { id }: Message): Promise<unknown> =>
  part(await world.call('DiscountCodeService.GetDiscountCode', { id }, caller), 'discount_code')[
    'usage_count'
  ];

/** What every RPC of a checkout refuses alike. */
const malformed = (rpc: string, more: Message = {}): Cases => ({
  'no order_key': (world) => world.call(at(rpc), { ...newPartner().ref, ...more }),
  'no environment': (world) =>
    world.call(at(rpc), {
      ...checkoutOf(newPartner()),
      environment: 'ENVIRONMENT_UNSPECIFIED',
      ...more,
    }),
});

const foreign = (rpc: string, more: Message = {}): Cases => ({
  'an order_key that another partner has': async (world) => {
    const { named } = await begun(world, (await withCart(world)).partner);
    await commit(world, named);
    return world.call(at(rpc), { ...named, ...newPartner().ref, ...more });
  },
  'an order_key that the other environment has': async (world) => {
    const { partner } = await withCart(world);
    const { named } = await begun(world, partner);
    await commit(world, named);
    return world.call(at(rpc), { ...named, ...elsewhere(partner).ref, ...more });
  },
});

/** A committed checkout of three units. */
async function committed(world: World, discount?: Message) {
  const { partner, variant } = await withCart(world, 3);
  const code = discount && (await aCode(world, partner, discount));
  const { named, checkout } = await begun(world, partner, code ? { discount_code: code['code'] } : {});
  await commit(world, named);
  return { partner, variant, named, checkout, code };
}

/** Checks a cart out for an order. */
export const checkouts: ServiceContract = {
  service: 'CheckoutService',
  speaksFor: 'whom the request names',
  rpcs: {
    BeginCheckout: {
      promises: {
        'answers every figure of the order to be, and reserves its units': async (world) => {
          const { partner, variant, cart } = await withCart(world, 3, {
            display_currency: 'USD',
            tax_registration_number: '311',
          });
          const { code } = await aCode(world, partner, {
            discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT',
            value: '5.00',
          });
          const { named, checkout } = await begun(world, partner, { discount_code: code });
          const isTaxed = variant['tax_classification'] === 'TAX_CLASSIFICATION_STANDARD';
          const vat = isTaxed ? '44.25' : '0.00';
          const charged = isTaxed ? '339.25' : '295.00';
          expect(checkout).toEqual({
            order_key: named['order_key'],
            cart_id: cart['id'],
            pricing_mode: 'PRICING_MODE_LIVE',
            lines: [
              {
                variant_id: variant['id'],
                sku: variant['sku'],
                quantity: 3,
                list_price: '100.00',
                discount_share: '5.00',
                goods: '295.00',
                unit_goods: '98.3333',
                tax_classification: variant['tax_classification'],
                vat_rate: isTaxed ? '0.15' : '0',
                goods_vat: vat,
                total_with_vat: charged,
                commission_rate: '0.1',
                commission: '29.50',
                commission_vat: '4.43',
                warehouse_code: variant['warehouse_code'],
                size_ml: variant['size_ml'],
                scent_name: variant['scent_name'],
              },
            ],
            total_amount: '295.00',
            total_goods_vat: vat,
            total_amount_with_vat: charged,
            total_commission: '29.50',
            total_commission_vat: '4.43',
            total_commission_with_vat: '33.93',
            discount: { code, discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT', value: '5.00', amount: '5.00' },
            currency: 'SAR',
            display_rate: { currency: 'USD', rate: FAKE_RATE },
            partner_is_vat_registered: true,
            partner_tax_registration_number: '311',
            partner_commission_rate: expect.stringMatching(/^0\.10*$/),
            begun_at: expect.any(String),
          });
          expect(await stockOf(world, variant)).toEqual([50, 3]);
          await cancel(world, named);
        },
        'repeated, it answers the first answer word for word, whatever has changed since': async (world) => {
          const { partner, variant } = await withCart(world, 2);
          const { named, checkout } = await begun(world, partner);
          await change(world, variant['id'], { list_price: '500.00' });
          const again = () => world.call(at('BeginCheckout'), { ...named, discount_code: 'OTHER' });
          expect(await again()).toEqual({ checkout });
          await commit(world, named);
          expect(await again()).toEqual({ checkout });
        },
        'with a lock it has the locked prices, once': async (world) => {
          const { partner, variant } = await withCart(world, 1, { is_vat_registered: false });
          const lock_id = await lockOf(world, partner);
          await change(world, variant['id'], { list_price: '120.00' });
          const { named, checkout } = await begun(world, partner, { lock_id });
          expect(checkout).toMatchObject({
            pricing_mode: 'PRICING_MODE_LOCKED',
            lock_id,
            total_amount: '100.00',
            total_commission_vat: '0.00',
            partner_is_vat_registered: false,
          });
          await cancel(world, named);
        },
        'a refusal leaves nothing behind and does not use the key up': async (world) => {
          const { partner, variant } = await withCart(world, 3);
          await change(world, variant['id'], { stock_on_hand: 2 });
          const named = checkoutOf(partner);
          const refusal = await refusalOf(world.call(at('BeginCheckout'), named));
          expect(refusal).toMatchObject({
            code: 'BUSINESS_INSUFFICIENT_STOCK',
            details: { variantIds: [variant['id']] },
          });
          await change(world, variant['id'], { stock_on_hand: 3 });
          await world.call(at('BeginCheckout'), named);
          expect(await stockOf(world, variant)).toEqual([3, 3]);
          await cancel(world, named);
        },
        'a cap of one admits exactly one of several orders at once': async (world) => {
          const partner = await knownPartner(world);
          const { code } = await aCode(world, partner, { total_usage_cap: 1 });
          const customers = ['c-1', 'c-2', 'c-3'];
          for (const customer_ref of customers)
            await add(world, partner, await aVariant(world), 1, { customer_ref });
          const outcomes = await Promise.allSettled(
            customers.map((customer_ref) =>
              world.call(at('BeginCheckout'), {
                ...checkoutOf(partner),
                customer_ref,
                discount_code: code,
              }),
            ),
          );
          expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
          for (const one of outcomes)
            if (one.status === 'rejected')
              expect(one.reason).toMatchObject({
                code: 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE',
                details: { reason: 'UsageCapReached' },
              });
          for (const one of outcomes)
            if (one.status === 'fulfilled')
              await cancel(world, { ...partner.ref, order_key: text(one.value, 'checkout.order_key') });
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          ...malformed('BeginCheckout'),
          'registered for VAT without a number anywhere': async (world) => {
            const { partner } = await withCart(world, 1, { is_vat_registered: false });
            return begin(world, partner, { partner_is_vat_registered: true });
          },
          'another code than the lock’s': async (world) => {
            const { partner } = await withCart(world);
            const lock_id = await lockOf(world, partner);
            const { code } = await aCode(world, partner);
            return begin(world, partner, { lock_id, discount_code: code });
          },
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: foreign('BeginCheckout'),
        CONFLICT_ORDER_STATE: {
          'a key that was cancelled before it began': async (world) => {
            const named = checkoutOf((await withCart(world)).partner);
            await cancel(world, named);
            return world.call(at('BeginCheckout'), named);
          },
          'a key that was cancelled': async (world) => {
            const { named } = await begun(world, (await withCart(world)).partner);
            await cancel(world, named);
            return world.call(at('BeginCheckout'), named);
          },
        },
        VALIDATION_PRICE_LOCK_INVALID: {
          'an unknown lock': async (world) =>
            begin(world, (await withCart(world)).partner, { lock_id: uuidv7() }),
          'another partner’s lock': async (world) => {
            const lock_id = await lockOf(world, (await withCart(world)).partner);
            return begin(world, (await withCart(world)).partner, { lock_id });
          },
          'a lock of a cart that changed since, though it was changed back': async (world) => {
            const { partner, variant } = await withCart(world, 2);
            const lock_id = await lockOf(world, partner);
            for (const quantity of [1, 2])
              await world.call(
                'CartService.SetCartItem',
                { variant_id: variant['id'], quantity },
                partner.caller,
              );
            return begin(world, partner, { lock_id });
          },
        },
        BUSINESS_CART_EMPTY: {
          'an empty cart': async (world) => begin(world, newPartner()),
          'a cart that was checked out': async (world) => begin(world, (await committed(world)).partner),
        },
        CONFLICT_CART_HAS_PENDING_ORDER: {
          'a cart that another order holds': async (world) => {
            const { partner } = await withCart(world);
            const { named } = await begun(world, partner);
            try {
              return await begin(world, partner);
            } finally {
              await cancel(world, named);
            }
          },
        },
        BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: {
          'an unknown code': async (world) =>
            begin(world, (await withCart(world)).partner, { discount_code: 'NO-SUCH' }),
          'a code that wants more in the cart': async (world) => {
            const { partner } = await withCart(world);
            const { code } = await aCode(world, partner, { min_order_value: '1000.00' });
            return begin(world, partner, { discount_code: code });
          },
        },
        BUSINESS_PRICE_BELOW_COST: {
          'a cost above the price': async (world) => {
            const { partner, variant } = await withCart(world);
            await change(world, variant['id'], { cost: '100.01' });
            return begin(world, partner);
          },
        },
        BUSINESS_MARGIN_BELOW_FLOOR: {
          'a cost that leaves less than 5 % after commission': async (world) => {
            const { partner, variant } = await withCart(world);
            await change(world, variant['id'], { cost: '85.01' });
            return begin(world, partner);
          },
          'also with a lock': async (world) => {
            const { partner, variant } = await withCart(world);
            const lock_id = await lockOf(world, partner);
            await change(world, variant['id'], { cost: '85.01' });
            return begin(world, partner, { lock_id });
          },
        },
        SERVICE_UNAVAILABLE: {
          'finance away, for a partner with a display currency': async (world) => {
            const partner = await partnerWithoutRate(world);
            const request = { variant_id: (await aVariant(world))['id'], quantity: 1 };
            await world.call('CartService.AddCartItem', request, partner.caller).catch(() => undefined);
            return begin(world, partner);
          },
        },
        BUSINESS_INSUFFICIENT_STOCK: {
          'more than is there': async (world) => {
            const { partner, variant } = await withCart(world, 3);
            await change(world, variant['id'], { stock_on_hand: 2 });
            return begin(world, partner);
          },
          'a variant that became inactive': async (world) => {
            const { partner, variant } = await withCart(world);
            await change(world, variant['id'], { is_active: false });
            return begin(world, partner);
          },
        },
      },
      unreachable: {
        VALIDATION_PRICE_LOCK_EXPIRED: 'A lock lives 15 minutes, and nothing outside makes one older.',
        CONFLICT_CART_CHECKOUT_RACE:
          'The cart must change within the call, between its reading and freezing.',
      },
    },
    CommitCheckout: {
      promises: {
        'the units leave the stock, the cart is used up, the discount counts; safe to repeat': async (
          world,
        ) => {
          const { partner, variant, named, checkout, code } = await committed(world, {});
          expect(await commit(world, named)).toEqual({});
          expect(await stockOf(world, variant)).toEqual([47, 0]);
          const next = await cartOf(world, partner);
          expect(next).toMatchObject({ items: [] });
          expect(next['id']).not.toBe(checkout['cart_id']);
          expect(await usageOf(world, partner, code ?? {})).toBe(1);
        },
      },
      refuses: {
        VALIDATION_FAILED: malformed('CommitCheckout'),
        CONFLICT_IDEMPOTENCY_KEY_REUSED: foreign('CommitCheckout'),
        CONFLICT_ORDER_STATE: {
          'one that never began': async (world) => commit(world, checkoutOf(newPartner())),
          'one that was cancelled': async (world) => {
            const { named } = await begun(world, (await withCart(world)).partner);
            await cancel(world, named);
            return commit(world, named);
          },
        },
      },
    },
    CancelCheckout: {
      promises: {
        'the cart is open again with its lines, stock and slot are given back; safe to repeat': async (
          world,
        ) => {
          const { partner, variant, cart } = await withCart(world, 3);
          const code = await aCode(world, partner, { total_usage_cap: 1 });
          const lock_id = await lockOf(world, partner, code['code']);
          const { named } = await begun(world, partner, { discount_code: code['code'] });
          expect(await cancel(world, named)).toEqual({});
          expect(await cancel(world, named)).toEqual({});
          expect(await stockOf(world, variant)).toEqual([50, 0]);
          expect(await cartOf(world, partner)).toMatchObject({ id: cart['id'], items: cart['items'] });
          expect(await usageOf(world, partner, code)).toBe(0);
          // A lock on it stays good.
          const again = await begun(world, partner, { lock_id });
          await cancel(world, again.named);
        },
        'succeeds for one that never began, and bars its key': async (world) => {
          const { partner } = await withCart(world);
          const named = checkoutOf(partner);
          expect(await cancel(world, named)).toEqual({});
          await expect(world.call(at('BeginCheckout'), named)).rejects.toMatchObject({
            code: 'CONFLICT_ORDER_STATE',
          });
        },
      },
      refuses: {
        VALIDATION_FAILED: malformed('CancelCheckout'),
        CONFLICT_IDEMPOTENCY_KEY_REUSED: foreign('CancelCheckout'),
        CONFLICT_ORDER_STATE: {
          'one that was committed': async (world) => cancel(world, (await committed(world)).named),
        },
      },
    },
    RestockUnits: {
      promises: {
        'puts units back on the shelf, once for each key, whatever a repetition says': async (world) => {
          const { named, variant } = await committed(world);
          const request = (quantity: number, restock_key: string) => ({
            ...named,
            restock_key,
            lines: [{ variant_id: variant['id'], quantity }],
          });
          expect(await world.call(at('RestockUnits'), request(2, 'group-1'))).toEqual({});
          expect(await world.call(at('RestockUnits'), request(1, 'group-1'))).toEqual({});
          expect(await stockOf(world, variant)).toEqual([49, 0]);
          await world.call(at('RestockUnits'), request(1, 'group-2'));
          expect(await stockOf(world, variant)).toEqual([50, 0]);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          ...malformed('RestockUnits', { restock_key: 'group-1' }),
          'no restock_key': async (world) =>
            world.call(at('RestockUnits'), { ...(await committed(world)).named, lines: [] }),
        },
        CONFLICT_IDEMPOTENCY_KEY_REUSED: foreign('RestockUnits', { restock_key: 'group-1' }),
        CONFLICT_ORDER_STATE: {
          'one that is not committed': async (world) =>
            world.call(at('RestockUnits'), { ...checkoutOf(newPartner()), restock_key: 'group-1' }),
          'more units than were taken': async (world) => {
            const { named, variant } = await committed(world);
            const lines = [{ variant_id: variant['id'], quantity: 4 }];
            return world.call(at('RestockUnits'), { ...named, restock_key: 'group-1', lines });
          },
        },
      },
    },
    GiveBackRedemption: {
      promises: {
        'gives the discount’s use back, once': async (world) => {
          const { partner, named, code } = await committed(world, {});
          for (const _ of ['once', 'again'])
            expect(await world.call(at('GiveBackRedemption'), named)).toEqual({});
          expect(await usageOf(world, partner, code ?? {})).toBe(0);
        },
        'does nothing for an order without a discount': async (world) => {
          const { named } = await committed(world);
          expect(await world.call(at('GiveBackRedemption'), named)).toEqual({});
        },
      },
      refuses: {
        VALIDATION_FAILED: malformed('GiveBackRedemption'),
        CONFLICT_IDEMPOTENCY_KEY_REUSED: foreign('GiveBackRedemption'),
        CONFLICT_ORDER_STATE: {
          'one that is not committed': async (world) =>
            world.call(at('GiveBackRedemption'), checkoutOf(newPartner())),
        },
      },
    },
  },
};

/** Where checkouts stand, for whoever compares them with orders. */
export const checkoutStates: ServiceContract = {
  service: 'CheckoutStateService',
  speaksFor: 'whom the request names',
  rpcs: {
    ListCheckoutStates: {
      promises: {
        'answers where each checkout stands, of any partner, and leaves out unknown keys': async (world) => {
          const running = await begun(world, (await withCart(world)).partner);
          const done = await committed(world);
          const ended = checkoutOf(newPartner());
          await cancel(world, ended);
          const keys = [running.named, done.named, ended].map((one) => one['order_key']);
          const answer = await world.call('CheckoutStateService.ListCheckoutStates', {
            keys: [...keys, `ORD-${uuidv7()}`],
          });
          expect(list(answer, 'checkouts')).toHaveLength(3);
          expect(answer['checkouts']).toEqual(
            expect.arrayContaining([
              { key: keys[0], state: 'CHECKOUT_STATE_BEGUN' },
              { key: keys[1], state: 'CHECKOUT_STATE_COMMITTED' },
              { key: keys[2], state: 'CHECKOUT_STATE_CANCELLED' },
            ]),
          );
          await cancel(world, running.named);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          '501 keys': (world) =>
            world.call('CheckoutStateService.ListCheckoutStates', {
              keys: Array.from({ length: 501 }, (_, index) => `ORD-${index}`),
            }),
        },
      },
    },
    ListCheckoutKeys: {
      promises: {
        'lists keys that are begun or committed in their order, after one': async (world) => {
          const done = await committed(world);
          const also = await committed(world);
          const ended = checkoutOf(newPartner());
          await cancel(world, ended);
          const keys: string[] = [];
          for (;;) {
            const after_key = keys[keys.length - 1] ?? '';
            const page = await world.call('CheckoutStateService.ListCheckoutKeys', { after_key, limit: 2 });
            const found = page['keys'] as string[];
            expect(found.length).toBeLessThanOrEqual(2);
            if (found.length === 0) break;
            keys.push(...found);
          }
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys).toEqual(expect.arrayContaining([done.named['order_key'], also.named['order_key']]));
          expect(keys).not.toContain(ended['order_key']);
        },
      },
      refuses: {
        VALIDATION_FAILED: {
          'a limit of 0': (world) => world.call('CheckoutStateService.ListCheckoutKeys', { limit: 0 }),
          'a limit of 501': (world) => world.call('CheckoutStateService.ListCheckoutKeys', { limit: 501 }),
        },
      },
    },
  },
};
