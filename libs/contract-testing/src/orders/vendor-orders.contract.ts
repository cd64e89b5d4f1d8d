import { expect } from '@jest/globals';
import type { ErrorCode } from '@reseller/errors';
import { v7 as uuidv7 } from 'uuid';
import type { Case, Message } from '../contract';
import { partnerService, rpc, type Sentences } from '../notation';
import type { Party } from '../party';
import { byAStranger, inTheOtherEnvironment, repeated, whileFailing } from '../variations';
import { refusalOf } from '../world';
import { buyer, place, REQUESTS, USD, whenDone, type Ends, type Product } from './arrange';
import { productReads } from './product-orders';

/** What top-ups and eSIMs have in common, and where they differ. */
interface VendorProduct {
  readonly product: Product;
  readonly other: Product;
  readonly amount: string;
  readonly notFound: ErrorCode;
  readonly fields: (request: Message) => Message;
  readonly refusals: Sentences;
}

const topup: VendorProduct = {
  product: 'Topup',
  other: 'Esim',
  amount: '10.00',
  notFound: 'NOT_FOUND_TOPUP_ORDER',
  fields: ({ phone_number }) => ({ phone_number }),
  refusals: {
    'BUSINESS_AMOUNT_OUT_OF_RANGE: more than the geo scope’s most': { amount: '1000000.00' },
    'BUSINESS_PHONE_NOT_IN_GEO_SCOPE: another country’s number': { phone_number: '+4915123456789' },
    'BUSINESS_PRODUCT_UNAVAILABLE: a live order where no vendor is set up': inTheOtherEnvironment,
  },
};

const esim: VendorProduct = {
  product: 'Esim',
  other: 'Topup',
  amount: '19.00',
  notFound: 'NOT_FOUND_ESIM_ORDER',
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
    'BUSINESS_PRODUCT_UNAVAILABLE: an unknown product': { product_sku: 'ESIM-NONE' },
    'BUSINESS_PRICE_MISMATCH: another amount than the product’s': { amount: '18.00' },
  },
};

function vendorOrders({ product, other, amount, notFound, fields, refusals }: VendorProduct) {
  const create = `Create${product}Order`;
  const repeatedWhen =
    (ends: Ends): Case =>
    (use) => {
      const [partner, request] = [buyer(use), REQUESTS[product](ends)];
      return partner.call(create, request).then(() => partner.call(create, request));
    };
  return partnerService(`${product}OrderService`, {
    [create]: rpc(async (world) => [buyer(world), REQUESTS[product]()], {
      'places an order that is completed and charged': async (use) => {
        const { who, request, call } = await use.given();
        expect((await call()).order).toEqual({
          ...(who as Party).ref,
          ...fields(request),
          order_id: expect.any(String),
          order_global_id: expect.any(String),
          saga_id: expect.any(String),
          partner_global_id: 'PRT-000001',
          geo_scope_global_id: 'GEO-SA',
          external_reference: request.external_reference,
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
      'repeated, also at once, it answers the first attempt’s order': async (use) => {
        const { call } = await use.given();
        const orders = await Promise.all([1, 2, 3].map(() => whenDone(call)));
        const ids = orders.map(({ order }) => (order as Message).order_id);
        expect(new Set(ids).size).toBe(1);
        expect(await call()).toEqual(orders[0]);
      },
      'keeps the saga id that it is given': async (use) => {
        const given = { saga_id: `saga-${uuidv7()}` };
        expect(await place(buyer(use), product, 'completed', given)).toMatchObject(given);
      },
      'freezes the display rate of the moment into the order': async (use) =>
        expect(await place(buyer(use, '100.00', USD), product)).toMatchObject({ display_rate: USD }),
      'a reference is the partner’s, environment’s and product’s own': async (use) => {
        const { request, call } = await use.given();
        const others = await buyer(use).get(create, request);
        expect((await call()).order).not.toMatchObject({ order_id: others.order_id });
      },
      'a vendor’s refusal is an order that failed, and nothing is charged': async (use) => {
        const partner = buyer(use, amount);
        expect(await place(partner, product, 'refused')).toMatchObject({
          status: 'ORDER_STATUS_FAILED',
          failure_code: 'VENDOR_REFUSED',
          error_message: expect.any(String),
        });
        // The money is free again: the whole balance buys the next one.
        expect(await place(partner, product)).toMatchObject({ status: 'ORDER_STATUS_COMPLETED' });
      },
      'a vendor that has not decided leaves it processing, to be asked again': async (use) =>
        expect(await place(buyer(use), product, 'pending')).toMatchObject({
          status: 'ORDER_STATUS_PROCESSING',
          status_description: expect.any(String),
          next_poll_at: expect.any(String),
          completed_at: null,
        }),
      'a refusal by rule frees the reference': async (use) => {
        const { call } = await use.given();
        const refusal = await refusalOf(call({ geo_scope_global_id: 'GEO-NONE' }));
        expect(refusal).toMatchObject({ code: 'BUSINESS_GEO_SCOPE_UNAVAILABLE' });
        await call();
      },
      'NOT_FOUND_WALLET: a partner without a wallet': byAStranger,
      'BUSINESS_GEO_SCOPE_UNAVAILABLE: an unknown geo scope': { geo_scope_global_id: 'GEO-NONE' },
      ...refusals,
      'BUSINESS_INSUFFICIENT_BALANCE: less in the wallet than it costs': (use) =>
        place(buyer(use, '9.99'), product),
      'CONFLICT_ORDER_IN_PROGRESS: a repetition while the vendor has not decided': repeatedWhen('pending'),
      'CONFLICT_ORDER_INTERVENTION_REQUIRED: a repetition while nobody knows what the vendor did':
        repeatedWhen('unknown'),
      'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: the reference with another amount': repeated({
        amount: '11.00',
      }),
      'SERVICE_UNAVAILABLE: finance away': whileFailing('finance', 'checkFunds'),
    }),
    ...productReads(product, notFound, {}, [], {
      [`${notFound}: an order of the other product`]: async (use) => {
        const partner = buyer(use);
        const { order_id } = await place(partner, other);
        return partner.call(`Get${product}Order`, { order_id });
      },
    }),
  });
}

/** Top-ups and eSIMs, which vendors deliver. */
export const vendorOrderServices = [vendorOrders(topup), vendorOrders(esim)];
