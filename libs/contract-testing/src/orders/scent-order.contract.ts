import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import type { Case, Message } from '../contract';
import { partnerService, rpc, type Sentences } from '../notation';
import type { Party } from '../party';
import { byAStranger, repeated, whileFailing } from '../variations';
import { refusalOf } from '../world';
import { buyer, paidScent, place, REQUESTS, SHIPPING_ADDRESS, USD, whenDone, whileAway } from './arrange';
import { productReads } from './product-orders';

/** What the shop refuses is answered as it is. */
const SHOP_REFUSALS: readonly ErrorCode[] = [
  'VALIDATION_FAILED',
  'CONFLICT_CART_HAS_PENDING_ORDER',
  'CONFLICT_CART_CHECKOUT_RACE',
  'BUSINESS_CART_EMPTY',
  'VALIDATION_PRICE_LOCK_INVALID',
  'VALIDATION_PRICE_LOCK_EXPIRED',
  'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE',
  'BUSINESS_INSUFFICIENT_STOCK',
  'BUSINESS_PRICE_BELOW_COST',
  'BUSINESS_MARGIN_BELOW_FLOOR',
];

const whenTheShopRefuses =
  (code: ErrorCode): Case =>
  async (use) => {
    const { who, call } = await use.given();
    const failing = { dependency: 'scent-commerce', method: 'beginCheckout', code, of: (who as Party).id };
    const refusal = await refusalOf(use.whileFailing(failing, () => call()));
    expect(await who.list('ListScentOrders')).toEqual([]);
    await call();
    throw refusal;
  };

const shopRefusals: Sentences = Object.fromEntries(
  SHOP_REFUSALS.map((code) => [
    `${code}: what the shop refuses so, leaving no order and the reference free`,
    whenTheShopRefuses(code),
  ]),
);

/** Scent orders, which the shop prices and warehouses deliver. */
export const scentOrders = partnerService('ScentOrderService', {
  CreateScentOrder: rpc(async (world) => [buyer(world), REQUESTS.Scent()], {
    'checks the cart out: a paid order with a group for each warehouse': async (use) => {
      const { partner, order } = await paidScent(use);
      const group = { status: 'FULFILLMENT_GROUP_STATUS_PENDING', delivered_at: null };
      expect(order).toMatchObject({
        ...partner.ref,
        order_id: expect.any(String),
        order_global_id: expect.any(String),
        partner_global_id: 'PRT-000001',
        status: 'ORDER_STATUS_PROCESSING',
        total_amount: '240.00',
        total_commission: '24.00',
        currency: 'SAR',
        total_goods_vat_amount: '30.00',
        total_commission_vat_amount: '3.60',
        total_amount_with_vat: '270.00',
        total_commission_with_vat: '27.60',
        tax_point: expect.any(String),
        partner_tax_registration_number: '310000000000003',
        partner_is_vat_registered: true,
        shipping_address: { recipient: 'Noura', country: 'SA' },
        submitted_at: expect.any(String),
        completed_at: null,
        fulfillment_groups: [group, group],
        lines: [
          {
            quantity: 2,
            returned_quantity: 0,
            unit_amount: '100.0000',
            line_total: '200.00',
            partner_commission: '20.00',
            pricing_mode: 'Live',
            source: 'W1',
            tax_classification: 'STANDARD',
            vat_rate_applied: expect.stringMatching(/^0\.150*$/),
            line_goods_vat_amount: '30.00',
            line_commission_vat_amount: '3.00',
          },
          { quantity: 1, line_total: '40.00', source: 'W2', tax_classification: 'ZERO' },
        ],
      });
    },
    'keeps what the request says of it': async (use) => {
      const said = { customer_ref: 'c-1', geo_scope_id: uuidv7(), saga_id: uuidv7() };
      expect(await place(buyer(use), 'Scent', 'completed', said)).toMatchObject(said);
    },
    'keeps the whole address, the shop’s discount, and the display rate of the moment': async (use) => {
      const more = { line2: 'Floor 3', region: 'Riyadh', postal_code: '11564' };
      const given = { shipping_address: { ...SHIPPING_ADDRESS, ...more }, discount_code: 'SAVE5' };
      const order = await place(buyer(use, '10000.00', USD), 'Scent', 'completed', given);
      expect(order).toMatchObject({ ...given, discount_amount: '5.00', display_rate: USD });
    },
    'repeated, also at once, it answers the first attempt’s order and charges once': async (use) => {
      const partner = buyer(use, '270.00');
      const request = REQUESTS.Scent();
      const call = () => partner.get('CreateScentOrder', request);
      const orders = await Promise.all([1, 2, 3].map(() => whenDone(call)));
      expect(new Set(orders.map(({ order_id }) => order_id)).size).toBe(1);
      expect(await call()).toEqual(orders[0]);
    },
    'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
    ...shopRefusals,
    'BUSINESS_INSUFFICIENT_BALANCE: less in the wallet than it costs': (use) =>
      place(buyer(use, '269.99'), 'Scent'),
    'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: the reference with another customer': repeated({
      customer_ref: 'c-2',
    }),
    'SERVICE_UNAVAILABLE: the shop away': whileFailing('scent-commerce', 'beginCheckout'),
    'CONFLICT_ORDER_IN_PROGRESS: a repetition while the first attempt waits for the shop': async (use) => {
      const { who, call } = await use.given();
      const twice = (): Promise<Message> => call().then(call, () => call());
      return whileAway(use, who as Party, 'commitCheckout', twice);
    },
  }),
  ...productReads('Scent', 'NOT_FOUND_SCENT_ORDER', { customer_ref: 'c-1' }, [{ customer_ref: 'C-1' }]),
});
