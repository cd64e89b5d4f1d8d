import { expect, partnerService, passesOn, replies, rpc } from '../prelude';
import { steps, uuidv7, waiting, whileFailing } from '../prelude';
import type { ErrorCode } from '../prelude';
import { buyer, parkedScent, place, PRICES, requestOf, SHIPPING_ADDRESS, USD } from './arrange';
import { anyCreate, productReads } from './product-orders';

/** What the shop refuses is returned as it is. */
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

const twice = steps({}, {});
const SAID = { customer_ref: 'c-1', geo_scope_id: uuidv7(), saga_id: uuidv7() };
const ADDRESS = { ...SHIPPING_ADDRESS, line2: 'Floor 3', region: 'Riyadh', postal_code: '11564' };

/** Scent orders, which the shop prices and warehouses deliver. */
export const scentOrders = partnerService('ScentOrderService', {
  CreateScentOrder: rpc((world) => [buyer(world, PRICES.Scent), requestOf('Scent')], {
    'checks the cart out: a paid order with a group for each warehouse': {},
    'keeps what the request says of it': replies({ order: SAID }, SAID),
    'keeps the whole address, the shop’s discount, and the display rate of the moment': async (use) => {
      const more = { shipping_address: ADDRESS, discount_code: 'SAVE5' };
      const order = await place(buyer(use, '10000.00', USD), 'Scent', 'completed', more);
      expect(order).toMatchObject({ ...more, discount_amount: '5.00', display_rate: USD });
    },
    ...anyCreate('Scent'),
    ...passesOn(
      'scent-commerce',
      'beginCheckout',
      SHOP_REFUSALS,
      'what the shop refuses so, leaving no order and the reference free',
      async (_, { partner, call }) => {
        expect(await partner.list('ListScentOrders')).toEqual([]);
        await call();
      },
    ),
    'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: the reference with another customer': [
      {},
      { customer_ref: 'c-2' },
    ],
    'SERVICE_UNAVAILABLE: the shop away': whileFailing('scent-commerce', 'beginCheckout'),
    'CONFLICT_ORDER_INTERVENTION_REQUIRED: a repetition while its order needs an operator': waiting(
      async (use) => {
        const { partner, request } = await parkedScent(use);
        return partner.get(use.rpc, request);
      },
    ),
    'CONFLICT_ORDER_IN_PROGRESS: a repetition while the first attempt waits for the shop': waiting(
      (use, given) =>
        use.whileFailing('scent-commerce', 'commitCheckout', () => twice(use, given), given.partner.id),
    ),
  }),
  ...productReads('Scent', { customer_ref: 'C-1' }),
});
