import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import type { Cases, Message, ServiceContract } from '../contract';
import { text } from '../message';
import { expectPages } from '../paging';
import { elsewhere, newPartner, refusalOf, type World } from '../world';
import { esimRequest, fundedPartner, place, placeWhenDone, topupRequest, USD, whileRefused } from './arrange';

/** What top-ups and eSIMs have in common, and where they differ. */
interface Product {
  /** As in the names of its RPCs. */
  readonly name: string;
  readonly notFound: ErrorCode;
  readonly amount: string;
  readonly request: typeof topupRequest;
  readonly fields: (request: Message) => Message;
  readonly refusals: Readonly<Partial<Record<ErrorCode, Cases>>>;
}

const topup: Product = {
  name: 'Topup',
  notFound: 'NOT_FOUND_TOPUP_ORDER',
  amount: '10.00',
  request: topupRequest,
  fields: ({ phone_number }) => ({ phone_number }),
  refusals: {
    BUSINESS_AMOUNT_OUT_OF_RANGE: {
      'more than the geo scope’s most': (world) =>
        place(
          world,
          'Topup',
          fundedPartner('9000000.00'),
          topupRequest('completed', { amount: '1000000.00' }),
        ),
    },
    BUSINESS_PHONE_NOT_IN_GEO_SCOPE: {
      'another country’s number': (world) =>
        place(world, 'Topup', fundedPartner(), topupRequest('completed', { phone_number: '+4915123456789' })),
    },
    BUSINESS_PRODUCT_UNAVAILABLE: {
      'a live order where no vendor is set up': (world) =>
        place(world, 'Topup', fundedPartner('100.00', 'live'), topupRequest()),
    },
  },
};

const esim: Product = {
  name: 'Esim',
  notFound: 'NOT_FOUND_ESIM_ORDER',
  amount: '19.00',
  request: esimRequest,
  fields: ({ email, product_sku }) => ({
    email,
    product_sku,
    data_allowance: expect.any(String),
    validity_days: 7,
    esim_iccid: expect.any(String),
    esim_qr_code: expect.stringMatching(/^LPA:1\$/),
    esim_activation_code: expect.any(String),
    esim_plan_details: expect.any(String),
  }),
  refusals: {
    BUSINESS_PRODUCT_UNAVAILABLE: {
      'an unknown product': (world) =>
        place(world, 'Esim', fundedPartner(), esimRequest('completed', { product_sku: 'ESIM-NONE' })),
    },
    BUSINESS_PRICE_MISMATCH: {
      'another amount than the product’s': (world) =>
        place(world, 'Esim', fundedPartner(), esimRequest('completed', { amount: '18.00' })),
    },
  },
};

/** Whose order it is not. */
const notFoundById = ({ name, request }: Product): Cases => {
  const get = (world: World, order_id: unknown, caller = newPartner().caller) =>
    world.call(`${name}OrderService.Get${name}Order`, { order_id }, caller);
  return {
    'an unknown id': (world) => get(world, uuidv7()),
    'an id that is none': (world) => get(world, 'one'),
    'another partner’s': async (world) =>
      get(world, (await place(world, name, fundedPartner(), request()))['order_id']),
    'the other environment’s': async (world) => {
      const partner = fundedPartner();
      const order = await place(world, name, partner, request());
      return get(world, order['order_id'], elsewhere(partner).caller);
    },
    'an order of the other product': async (world) => {
      const partner = fundedPartner();
      const other =
        name === 'Topup'
          ? await place(world, 'Esim', partner, esimRequest())
          : await place(world, 'Topup', partner, topupRequest());
      return get(world, other['order_id'], partner.caller);
    },
  };
};

function vendorOrders(product: Product): ServiceContract {
  const { name, amount, request } = product;
  const service = `${name}OrderService`;
  const at = (method: string): string => `${service}.${method}`;
  const create = `Create${name}Order`;
  const byReference = `Get${name}OrderByReference`;
  return {
    service,
    speaksFor: 'the partner of the metadata',
    rpcs: {
      [create]: {
        promises: {
          'places an order that is completed and charged': async (world) => {
            const partner = fundedPartner('100.00');
            const asked = request();
            const order = await placeWhenDone(world, name, partner, asked);
            expect(order).toEqual({
              ...partner.ref,
              ...product.fields(asked),
              order_id: expect.any(String),
              order_global_id: expect.any(String),
              saga_id: expect.any(String),
              partner_global_id: 'PRT-000001',
              geo_scope_global_id: 'GEO-SA',
              external_reference: asked['external_reference'],
              amount,
              currency: 'SAR',
              status: 'ORDER_STATUS_COMPLETED',
              vendor_order_id: expect.any(String),
              submitted_at: expect.any(String),
              completed_at: expect.any(String),
              current_retry_count: expect.any(Number),
              next_poll_at: null,
              display_rate: null,
            });
          },
          'repeated, also at once, it answers the first attempt’s order': async (world) => {
            const partner = fundedPartner('100.00');
            const asked = request();
            const answers = await Promise.all(
              [1, 2, 3].map(() => placeWhenDone(world, name, partner, asked)),
            );
            expect(new Set(answers.map((order) => order['order_id'])).size).toBe(1);
            expect(await place(world, name, partner, asked)).toEqual(answers[0]);
          },
          'keeps the saga id that it is given': async (world) => {
            const given = { saga_id: `saga-${uuidv7()}` };
            expect(await place(world, name, fundedPartner(), request('completed', given))).toMatchObject(
              given,
            );
          },
          'freezes the display rate of the moment into the order': async (world) => {
            const order = await place(world, name, fundedPartner('100.00', 'sandbox', USD), request());
            expect(order['display_rate']).toEqual(USD);
          },
          'a reference is the partner’s, environment’s and product’s own': async (world) => {
            const asked = request();
            const orders = [
              await place(world, name, fundedPartner(), asked),
              await place(world, name, fundedPartner(), asked),
            ];
            expect(orders[0]?.['order_id']).not.toBe(orders[1]?.['order_id']);
          },
          'a vendor’s refusal is an order that failed, and nothing is charged': async (world) => {
            const partner = fundedPartner(amount);
            const order = await place(world, name, partner, request('refused'));
            expect(order).toMatchObject({
              status: 'ORDER_STATUS_FAILED',
              failure_code: 'VENDOR_REFUSED',
              error_message: expect.any(String),
            });
            // The money is free again: the whole balance buys the next one.
            expect(await place(world, name, partner, request())).toMatchObject({
              status: 'ORDER_STATUS_COMPLETED',
            });
          },
          'a vendor that has not decided leaves it processing, to be asked again': async (world) => {
            const order = await place(world, name, fundedPartner(), request('pending'));
            expect(order).toMatchObject({
              status: 'ORDER_STATUS_PROCESSING',
              status_description: expect.any(String),
              next_poll_at: expect.any(String),
              completed_at: null,
            });
          },
          'a refusal by rule frees the reference': async (world) => {
            const partner = fundedPartner();
            const asked = request();
            const refusal = await refusalOf(
              place(world, name, partner, { ...asked, geo_scope_global_id: 'GEO-NONE' }),
            );
            expect(refusal).toMatchObject({ code: 'BUSINESS_GEO_SCOPE_UNAVAILABLE' });
            await place(world, name, partner, asked);
          },
        },
        refuses: {
          NOT_FOUND_WALLET: {
            'a partner without a wallet': (world) => place(world, name, newPartner(), request()),
          },
          BUSINESS_GEO_SCOPE_UNAVAILABLE: {
            'an unknown geo scope': (world) =>
              place(world, name, fundedPartner(), request('completed', { geo_scope_global_id: 'GEO-NONE' })),
          },
          ...product.refusals,
          BUSINESS_INSUFFICIENT_BALANCE: {
            'less in the wallet than it costs': (world) =>
              place(world, name, fundedPartner('9.99'), request()),
          },
          CONFLICT_ORDER_IN_PROGRESS: {
            'a repetition while the vendor has not decided': async (world) => {
              const partner = fundedPartner();
              const asked = request('pending');
              await place(world, name, partner, asked);
              return place(world, name, partner, asked);
            },
          },
          CONFLICT_ORDER_INTERVENTION_REQUIRED: {
            'a repetition while nobody knows what the vendor did': async (world) => {
              const partner = fundedPartner();
              const asked = request('unknown');
              await place(world, name, partner, asked);
              return place(world, name, partner, asked);
            },
          },
          CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: {
            'the reference with another amount': async (world) => {
              const partner = fundedPartner();
              const asked = request();
              await place(world, name, partner, asked);
              return place(world, name, partner, { ...asked, amount: '11.00' });
            },
          },
          SERVICE_UNAVAILABLE: {
            'finance away': async (world) => {
              const partner = fundedPartner();
              const away = { dependency: 'finance', method: 'checkFunds' } as const;
              return whileRefused(world, { ...away, code: 'SERVICE_UNAVAILABLE' }, partner, () =>
                place(world, name, partner, request()),
              );
            },
          },
        },
      },
      [`Get${name}Order`]: {
        promises: {
          'answers the order as it was placed': async (world) => {
            const partner = fundedPartner();
            const order = await place(world, name, partner, request());
            const asked = { order_id: order['order_id'] };
            expect(await world.call(at(`Get${name}Order`), asked, partner.caller)).toEqual({ order });
          },
        },
        refuses: { [product.notFound]: notFoundById(product) },
      },
      [byReference]: {
        promises: {
          'answers the order of a reference': async (world) => {
            const partner = fundedPartner();
            const order = await place(world, name, partner, request());
            const asked = { external_reference: order['external_reference'] };
            expect(await world.call(at(byReference), asked, partner.caller)).toEqual({ order });
          },
        },
        refuses: {
          [product.notFound]: {
            'a reference nobody used': (world: World) =>
              world.call(at(byReference), { external_reference: 'none' }, newPartner().caller),
            'another partner’s': async (world: World) => {
              const { external_reference } = await place(world, name, fundedPartner(), request());
              return world.call(at(byReference), { external_reference }, newPartner().caller);
            },
          },
        },
      },
      [`List${name}Orders`]: {
        promises: {
          'lists newest first, page by page, and nobody else’s': async (world) => {
            const partner = fundedPartner();
            const older = await place(world, name, partner, request());
            const newer = await place(world, name, partner, request('refused'));
            await place(world, name, fundedPartner(), request());
            const listed = await expectPages(world, {
              rpc: at(`List${name}Orders`),
              field: 'orders',
              caller: partner.caller,
            });
            expect(listed).toEqual([newer, older]);
          },
          'keeps to a status, and to a time from inclusive to exclusive': async (world) => {
            const partner = fundedPartner();
            const order = await place(world, name, partner, request());
            const at_ = new Date(text(order, 'submitted_at'));
            const later = new Date(at_.getTime() + 1);
            const listed = async (filter: Message) =>
              (await world.call(at(`List${name}Orders`), filter, partner.caller))['orders'];
            const status = 'ORDER_STATUS_COMPLETED';
            expect(await listed({ status, from_at: at_, to_at: later })).toEqual([order]);
            expect(await listed({ status: 'ORDER_STATUS_FAILED' })).toEqual([]);
            expect(await listed({ from_at: later })).toEqual([]);
            expect(await listed({ to_at: at_ })).toEqual([]);
          },
        },
      },
    },
  };
}

/** Top-ups and eSIMs, which vendors deliver. */
export const vendorOrderServices: ServiceContract[] = [vendorOrders(topup), vendorOrders(esim)];
