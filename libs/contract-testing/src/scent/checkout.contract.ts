import { expect } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { walksKeys } from '../common/keys';
import type { Message } from '../contract';
import { FAKE_RATE } from '../finance/fake-finance';
import { rpc, service, UNREACHABLE } from '../notation';
import type { Party } from '../party';
import { after, UNKNOWN } from '../variations';
import { refusalOf } from '../world';
import {
  aCode,
  add,
  aVariant,
  begun,
  cartOf,
  change,
  isTaxed,
  knownPartner,
  whileBegun,
  withCart,
  withoutRate,
} from './arrange';
import { checkoutRpc, committed, lockOf, stockOf, usageOf } from './checkout-arrange';

const NEVER_BEGUN = { order_key: 'ORD-never' };

/** Checks a cart out for an order. */
export const checkouts = service('CheckoutService', {
  BeginCheckout: checkoutRpc([], {
    'answers every figure of the order to be, and reserves its units': async (use) => {
      const settings = { display_currency: 'USD', tax_registration_number: '311' };
      const { partner, variant, cart } = await withCart(use, 3, settings);
      const fixed = { discount_type: 'DISCOUNT_TYPE_FIXED_AMOUNT', value: '5.00' };
      const { code } = await aCode(partner, fixed);
      const { named, checkout } = await begun(partner, { discount_code: code });
      const [vat, charged] = isTaxed(variant) ? ['44.25', '339.25'] : ['0.00', '295.00'];
      const { sku, tax_classification, warehouse_code, size_ml, scent_name } = variant;
      expect(checkout).toEqual({
        ...named,
        cart_id: cart.id,
        pricing_mode: 'PRICING_MODE_LIVE',
        lines: [
          {
            ...{ sku, tax_classification, warehouse_code, size_ml, scent_name },
            variant_id: variant.id,
            quantity: 3,
            list_price: '100.00',
            discount_share: '5.00',
            goods: '295.00',
            unit_goods: '98.3333',
            vat_rate: isTaxed(variant) ? '0.15' : '0',
            goods_vat: vat,
            total_with_vat: charged,
            commission_rate: '0.1',
            commission: '29.50',
            commission_vat: '4.43',
          },
        ],
        total_amount: '295.00',
        total_goods_vat: vat,
        total_amount_with_vat: charged,
        total_commission: '29.50',
        total_commission_vat: '4.43',
        total_commission_with_vat: '33.93',
        discount: { code, ...fixed, amount: '5.00' },
        currency: 'SAR',
        display_rate: { currency: 'USD', rate: FAKE_RATE },
        partner_is_vat_registered: true,
        partner_tax_registration_number: '311',
        partner_commission_rate: expect.stringMatching(/^0\.10*$/),
        begun_at: expect.any(String),
      });
      expect(await stockOf(use, variant)).toEqual([50, 3]);
      await partner.call('CancelCheckout', named);
    },
    'repeated, it answers the first answer word for word, whatever has changed since': async (use) => {
      const { partner, variant } = await withCart(use, 2);
      const { named, checkout } = await begun(partner);
      await change(use, variant, { list_price: '500.00' });
      const again = () => partner.get('BeginCheckout', { ...named, discount_code: 'OTHER' });
      expect(await again()).toEqual(checkout);
      await partner.call('CommitCheckout', named);
      expect(await again()).toEqual(checkout);
    },
    'with a lock it has the locked prices, once': async (use) => {
      const { partner, variant } = await withCart(use, 1, { is_vat_registered: false });
      const lock = await lockOf(partner);
      await change(use, variant, { list_price: '120.00' });
      const { named, checkout } = await begun(partner, lock);
      expect(checkout).toMatchObject({
        ...lock,
        pricing_mode: 'PRICING_MODE_LOCKED',
        total_amount: '100.00',
        total_commission_vat: '0.00',
        partner_is_vat_registered: false,
      });
      await partner.call('CancelCheckout', named);
    },
    'a refusal leaves nothing behind and does not use the key up': async (use) => {
      const { partner, variant } = await withCart(use, 3);
      const named = { order_key: `ORD-${uuidv7()}` };
      await change(use, variant, { stock_on_hand: 2 });
      expect(await refusalOf(partner.call('BeginCheckout', named))).toMatchObject({
        code: 'BUSINESS_INSUFFICIENT_STOCK',
        details: { variantIds: [variant.id] },
      });
      await change(use, variant, { stock_on_hand: 3 });
      await partner.call('BeginCheckout', named);
      expect(await stockOf(use, variant)).toEqual([3, 3]);
      await partner.call('CancelCheckout', named);
    },
    'a cap of one admits exactly one of several orders at once': async (use) => {
      const partner = await knownPartner(use);
      const { code } = await aCode(partner, { total_usage_cap: 1 });
      const customers = ['c-1', 'c-2', 'c-3'];
      for (const customer_ref of customers) await add(partner, await aVariant(use), 1, { customer_ref });
      const outcomes = await Promise.allSettled(
        customers.map((customer_ref) => begun(partner, { customer_ref, discount_code: code })),
      );
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      for (const one of outcomes)
        if (one.status === 'fulfilled') await partner.call('CancelCheckout', one.value.named);
        else
          expect(one.reason).toMatchObject({
            code: 'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE',
            details: { reason: 'UsageCapReached' },
          });
    },
    'VALIDATION_FAILED: registered for VAT without a number anywhere': async (use) => {
      const { partner } = await withCart(use, 1, { is_vat_registered: false });
      return begun(partner, { partner_is_vat_registered: true });
    },
    'VALIDATION_FAILED: another code than the lock’s': async (use) => {
      const { who, call } = await use.given();
      const partner = who as Party;
      return call({ ...(await lockOf(partner)), discount_code: (await aCode(partner)).code });
    },
    'CONFLICT_ORDER_STATE: a key that was cancelled before it began': after('CancelCheckout'),
    'CONFLICT_ORDER_STATE: a key that was cancelled': after('BeginCheckout', 'CancelCheckout'),
    'VALIDATION_PRICE_LOCK_INVALID: an unknown lock': { lock_id: UNKNOWN },
    'VALIDATION_PRICE_LOCK_INVALID: another partner’s lock': async (use) =>
      (await use.given()).call(await lockOf((await withCart(use)).partner)),
    'VALIDATION_PRICE_LOCK_INVALID: a lock of a cart that changed since, though it was changed back': async (
      use,
    ) => {
      const { partner, variant } = await withCart(use, 2);
      const lock = await lockOf(partner);
      for (const quantity of [1, 2]) await partner.call('SetCartItem', { variant_id: variant.id, quantity });
      return begun(partner, lock);
    },
    'BUSINESS_CART_EMPTY: an empty cart': async (use) => begun(use.partner()),
    'BUSINESS_CART_EMPTY: a cart that was checked out': async (use) => begun((await committed(use)).partner),
    'CONFLICT_CART_HAS_PENDING_ORDER: a cart that another order holds': async (use) => {
      const { who, call } = await use.given();
      return whileBegun(who as Party, () => call());
    },
    'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: an unknown code': { discount_code: 'NO-SUCH' },
    'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE: a code that wants more in the cart': async (use) => {
      const { who, call } = await use.given();
      const { code } = await aCode(who as Party, { min_order_value: '1000.00' });
      return call({ discount_code: code });
    },
    'BUSINESS_PRICE_BELOW_COST: a cost above the price': async (use) => {
      const { partner, variant } = await withCart(use);
      await change(use, variant, { cost: '100.01' });
      return begun(partner);
    },
    'BUSINESS_MARGIN_BELOW_FLOOR: a cost that leaves less than 5 % after commission': async (use) => {
      const { partner, variant } = await withCart(use);
      await change(use, variant, { cost: '85.01' });
      return begun(partner);
    },
    'BUSINESS_MARGIN_BELOW_FLOOR: also with a lock': async (use) => {
      const { partner, variant } = await withCart(use);
      const lock = await lockOf(partner);
      await change(use, variant, { cost: '85.01' });
      return begun(partner, lock);
    },
    ...withoutRate,
    'BUSINESS_INSUFFICIENT_STOCK: more than is there': async (use) => {
      const { partner, variant } = await withCart(use, 3);
      await change(use, variant, { stock_on_hand: 2 });
      return begun(partner);
    },
    'BUSINESS_INSUFFICIENT_STOCK: a variant that became inactive': async (use) => {
      const { partner, variant } = await withCart(use);
      await change(use, variant, { is_active: false });
      return begun(partner);
    },
    'VALIDATION_PRICE_LOCK_EXPIRED: A lock lives 15 minutes, and nothing outside makes one older.':
      UNREACHABLE,
    'CONFLICT_CART_CHECKOUT_RACE: The cart must change within the call, between its reading and freezing.':
      UNREACHABLE,
  }),

  CommitCheckout: checkoutRpc(['BeginCheckout'], {
    'the units leave the stock, the cart is used up, the discount counts; safe to repeat': async (use) => {
      const { partner, variant, named, checkout, code } = await committed(use, {});
      expect(await partner.call('CommitCheckout', named)).toEqual({});
      expect(await stockOf(use, variant)).toEqual([47, 0]);
      const next = await cartOf(partner);
      expect(next).toMatchObject({ items: [] });
      expect(next.id).not.toBe(checkout.cart_id);
      expect(await usageOf(partner, code)).toBe(1);
    },
    'CONFLICT_ORDER_STATE: one that never began': NEVER_BEGUN,
    'CONFLICT_ORDER_STATE: one that was cancelled': after('CancelCheckout'),
  }),

  CancelCheckout: checkoutRpc(['BeginCheckout'], {
    'the cart is open again with its lines, stock and slot are given back; safe to repeat': async (use) => {
      const { partner, variant, cart } = await withCart(use, 3);
      const code = await aCode(partner, { total_usage_cap: 1 });
      const discount = { discount_code: code.code };
      const lock = await lockOf(partner, discount);
      const { named } = await begun(partner, discount);
      expect(await partner.twice('CancelCheckout', named)).toEqual({});
      expect(await stockOf(use, variant)).toEqual([50, 0]);
      expect(await cartOf(partner)).toMatchObject({ id: cart.id, items: cart.items });
      expect(await usageOf(partner, code)).toBe(0);
      // A lock on it stays good.
      await whileBegun(partner, async () => undefined, lock);
    },
    'succeeds for one that never began, and bars its key': async (use) => {
      const { partner } = await withCart(use);
      const named = { order_key: `ORD-${uuidv7()}` };
      expect(await partner.call('CancelCheckout', named)).toEqual({});
      const refusal = await refusalOf(partner.call('BeginCheckout', named));
      expect(refusal).toMatchObject({ code: 'CONFLICT_ORDER_STATE' });
    },
    'CONFLICT_ORDER_STATE: one that was committed': after('CommitCheckout'),
  }),

  RestockUnits: checkoutRpc(['BeginCheckout', 'CommitCheckout'], {
    'puts units back on the shelf, once for each key, whatever a repetition says': async (use) => {
      const { partner, named, variant } = await committed(use);
      const restock = (quantity: number, restock_key: string) =>
        partner.call('RestockUnits', {
          ...named,
          restock_key,
          lines: [{ variant_id: variant.id, quantity }],
        });
      for (const quantity of [2, 1]) expect(await restock(quantity, 'group-1')).toEqual({});
      expect(await stockOf(use, variant)).toEqual([49, 0]);
      await restock(1, 'group-2');
      expect(await stockOf(use, variant)).toEqual([50, 0]);
    },
    'VALIDATION_FAILED: no restock_key': { restock_key: '' },
    'CONFLICT_ORDER_STATE: one that is not committed': NEVER_BEGUN,
    'CONFLICT_ORDER_STATE: more units than were taken': async (use) => {
      const { request, call } = await use.given();
      return call({ lines: (request.lines as Message[]).map((line) => ({ ...line, quantity: 4 })) });
    },
  }),

  GiveBackRedemption: checkoutRpc(['BeginCheckout', 'CommitCheckout'], {
    'gives the discount’s use back, once': async (use) => {
      const { partner, named, code } = await committed(use, {});
      expect(await partner.twice('GiveBackRedemption', named)).toEqual({});
      expect(await usageOf(partner, code)).toBe(0);
    },
    'does nothing for an order without a discount': async (use) =>
      expect(await (await use.given()).call()).toEqual({}),
    'CONFLICT_ORDER_STATE: one that is not committed': NEVER_BEGUN,
  }),
});

/** Where checkouts stand, for whoever compares them with orders. */
export const checkoutStates = service('CheckoutStateService', {
  ListCheckoutStates: rpc(async (world) => [world], {
    'answers where each checkout stands, of any partner, and leaves out unknown keys': async (use) => {
      const done = await committed(use);
      const ended = { order_key: `ORD-${uuidv7()}` };
      await use.partner().call('CancelCheckout', ended);
      const { partner } = await withCart(use);
      const { named } = await begun(partner);
      const states = [
        { key: named.order_key, state: 'CHECKOUT_STATE_BEGUN' },
        { key: done.named.order_key, state: 'CHECKOUT_STATE_COMMITTED' },
        { key: ended.order_key, state: 'CHECKOUT_STATE_CANCELLED' },
      ];
      const found = await use.list('ListCheckoutStates', {
        keys: [...states.map(({ key }) => key), UNKNOWN],
      });
      expect(found).toHaveLength(3);
      expect(found).toEqual(expect.arrayContaining(states));
      await partner.call('CancelCheckout', named);
    },
    'VALIDATION_FAILED: 501 keys': { keys: Array.from({ length: 501 }, (_, index) => `ORD-${index}`) },
  }),
  ListCheckoutKeys: walksKeys(
    'ListCheckoutKeys',
    'lists keys that are begun or committed in their order, after one',
    async (world) => {
      const live = [await committed(world), await committed(world)].map(({ named }) => named.order_key);
      const ended = `ORD-${uuidv7()}`;
      await world.partner().call('CancelCheckout', { order_key: ended });
      return { live, ended };
    },
  ),
});
