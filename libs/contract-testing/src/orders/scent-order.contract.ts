import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { list, text } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, refusalOf, type World } from '../world';
import { fundedPartner, paidScent, place, placeWhenDone, scentRequest, USD, whileRefused } from './arrange';

const at = (rpc: string): string => `ScentOrderService.${rpc}`;

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

const whenTheShopRefuses = (code: ErrorCode): Cases => ({
  'what the shop refuses so, leaving no order and the reference free': async (world) => {
    const partner = fundedPartner();
    const request = scentRequest();
    const refusal = { dependency: 'scent-commerce', method: 'beginCheckout', code };
    const refused = whileRefused(world, refusal, partner, () => place(world, 'Scent', partner, request));
    const answer = await refusalOf(refused);
    const listed = await world.call(at('ListScentOrders'), {}, partner.caller);
    expect(listed['orders']).toEqual([]);
    await place(world, 'Scent', partner, request);
    throw answer;
  },
});

const notFound = (call: (world: World, order: Message, caller: object) => Promise<Message>): Cases => ({
  'another partner’s': async (world) => call(world, (await paidScent(world)).order, newPartner().caller),
  'the other environment’s': async (world) => {
    const { order, partner } = await paidScent(world);
    return call(world, order, elsewhere(partner).caller);
  },
  'one that nobody placed': (world) =>
    call(world, { order_id: uuidv7(), external_reference: 'none' }, newPartner().caller),
});

/** Scent orders, which the shop prices and warehouses deliver. */
export const scentOrders: ServiceContract = {
  service: 'ScentOrderService',
  speaksFor: 'the partner of the metadata',
  rpcs: {
    CreateScentOrder: {
      promises: {
        'checks the cart out: a paid order with a group for each warehouse': async (world) => {
          const { partner, order } = await paidScent(world);
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
            fulfillment_groups: [
              { status: 'FULFILLMENT_GROUP_STATUS_PENDING', delivered_at: null },
              { status: 'FULFILLMENT_GROUP_STATUS_PENDING', delivered_at: null },
            ],
          });
          expect(list(order, 'lines')).toMatchObject([
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
          ]);
        },
        'keeps what the request says of it': async (world) => {
          const partner = fundedPartner();
          const said = { customer_ref: 'c-1', geo_scope_id: uuidv7(), saga_id: uuidv7() };
          expect(await place(world, 'Scent', partner, scentRequest(said))).toMatchObject(said);
        },
        'keeps the whole address, the shop’s discount, and the display rate of the moment': async (world) => {
          const shipping_address = {
            recipient: 'Noura',
            line1: 'King Fahd Road 12',
            line2: 'Floor 3',
            city: 'Riyadh',
            region: 'Riyadh',
            postal_code: '11564',
            country: 'SA',
            phone: '+966501234567',
          };
          const request = scentRequest({ shipping_address, discount_code: 'SAVE5' });
          const partner = fundedPartner('10000.00', 'sandbox', USD);
          expect(await place(world, 'Scent', partner, request)).toMatchObject({
            shipping_address,
            discount_code: 'SAVE5',
            discount_amount: '5.00',
            display_rate: USD,
          });
        },
        'repeated, also at once, it answers the first attempt’s order and charges once': async (world) => {
          const partner = fundedPartner('270.00');
          const request = scentRequest();
          const orders = await Promise.all(
            [1, 2, 3].map(() => placeWhenDone(world, 'Scent', partner, request)),
          );
          expect(new Set(orders.map((order) => order['order_id'])).size).toBe(1);
          expect(await place(world, 'Scent', partner, request)).toEqual(orders[0]);
        },
      },
      refuses: {
        NOT_FOUND_WALLET: {
          'a partner without a wallet': (world) => place(world, 'Scent', newPartner(), scentRequest()),
        },
        ...Object.fromEntries(SHOP_REFUSALS.map((code) => [code, whenTheShopRefuses(code)])),
        BUSINESS_INSUFFICIENT_BALANCE: {
          'less in the wallet than it costs': (world) =>
            place(world, 'Scent', fundedPartner('269.99'), scentRequest()),
        },
        CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: {
          'the reference with another customer': async (world) => {
            const partner = fundedPartner();
            const request = scentRequest();
            await place(world, 'Scent', partner, request);
            return place(world, 'Scent', partner, { ...request, customer_ref: 'c-2' });
          },
        },
        SERVICE_UNAVAILABLE: {
          'the shop away': async (world) => {
            const partner = fundedPartner();
            const away = { dependency: 'scent-commerce', method: 'beginCheckout' };
            return whileRefused(world, { ...away, code: 'SERVICE_UNAVAILABLE' }, partner, () =>
              place(world, 'Scent', partner, scentRequest()),
            );
          },
        },
        CONFLICT_ORDER_IN_PROGRESS: {
          'a repetition while the first attempt waits for the shop': async (world) => {
            const partner = fundedPartner();
            const request = scentRequest();
            const away = {
              dependency: 'scent-commerce',
              method: 'commitCheckout',
              code: 'SERVICE_UNAVAILABLE',
            } as const;
            return whileRefused(world, away, partner, async () => {
              await place(world, 'Scent', partner, request).catch(() => undefined);
              return place(world, 'Scent', partner, request);
            });
          },
        },
      },
    },
    GetScentOrder: {
      promises: {
        'answers the order as it was paid': async (world) => {
          const { partner, order } = await paidScent(world);
          const request = { order_id: order['order_id'] };
          expect(await world.call(at('GetScentOrder'), request, partner.caller)).toEqual({ order });
        },
      },
      refuses: {
        NOT_FOUND_SCENT_ORDER: notFound((world, { order_id }, caller) =>
          world.call(at('GetScentOrder'), { order_id }, caller as never),
        ),
      },
    },
    GetScentOrderByReference: {
      promises: {
        'answers the order of a reference': async (world) => {
          const { partner, order } = await paidScent(world);
          const request = { external_reference: order['external_reference'] };
          expect(await world.call(at('GetScentOrderByReference'), request, partner.caller)).toEqual({
            order,
          });
        },
      },
      refuses: {
        NOT_FOUND_SCENT_ORDER: notFound((world, { external_reference }, caller) =>
          world.call(at('GetScentOrderByReference'), { external_reference }, caller as never),
        ),
      },
    },
    ListScentOrders: {
      promises: {
        'lists newest first, page by page, and nobody else’s': async (world) => {
          const partner = fundedPartner();
          const older = await place(world, 'Scent', partner, scentRequest());
          const newer = await place(world, 'Scent', partner, scentRequest({ customer_ref: 'c-1' }));
          await paidScent(world);
          const listed = await expectPages(world, {
            rpc: at('ListScentOrders'),
            field: 'orders',
            caller: partner.caller,
          });
          expect(listed).toEqual([newer, older]);
        },
        'keeps to a status, a customer, and a time from inclusive to exclusive': async (world) => {
          const partner = fundedPartner();
          const order = await place(world, 'Scent', partner, scentRequest({ customer_ref: 'c-1' }));
          const from = new Date(text(order, 'submitted_at'));
          const later = new Date(from.getTime() + 1);
          const listed = async (filter: Message) =>
            (await world.call(at('ListScentOrders'), filter, partner.caller))['orders'];
          const status = 'ORDER_STATUS_PROCESSING';
          const all = { status, customer_ref: 'c-1', from_at: from, to_at: later };
          expect(await listed(all)).toEqual([order]);
          for (const other of [
            { status: 'ORDER_STATUS_COMPLETED' },
            { customer_ref: 'C-1' },
            { from_at: later },
            { to_at: from },
          ])
            expect(await listed({ ...all, ...other })).toEqual([]);
        },
      },
    },
  },
};
