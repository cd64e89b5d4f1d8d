import { expect, partnerService, replies, rpc } from '../prelude';
import { uuidv7, whileFailing } from '../prelude';
import type { ErrorCode, Sentences } from '../prelude';
import { buyer, place, PRICES, requestOf, USD } from './arrange';
import { anyCreate, idOf, productReads } from './product-orders';
import { VENDOR_PRODUCTS, type Ends, type VendorProductName } from './vendor-products';

const NAMES = Object.keys(VENDOR_PRODUCTS) as VendorProductName[];

function vendorOrders(product: VendorProductName) {
  const { notFound, own }: { notFound: ErrorCode; own: Sentences } = VENDOR_PRODUCTS[product];
  const other = NAMES.find((name) => name !== product) ?? product;
  const create = `Create${product}Order`;
  const saga = { saga_id: `saga-${uuidv7()}` };
  const repeatedWhen = (ends: Ends) => [requestOf(product, ends)].flatMap((one) => [one, one]);
  return partnerService(`${product}OrderService`, {
    [create]: rpc((world) => [buyer(world, PRICES[product]), requestOf(product)], {
      'places an order that is completed and charged': {},
      ...anyCreate(product),
      'keeps the saga id that it is given': replies({ order: saga }, saga),
      'freezes the display rate of the moment into the order': async (use) =>
        expect(await place(buyer(use, '100.00', USD), product)).toMatchObject({ display_rate: USD }),
      'a reference is the partner’s, environment’s and product’s own': async (use, { request, call }) =>
        expect(idOf(await call())).not.toBe(idOf(await buyer(use).call(create, request))),
      'a vendor’s refusal is an order that failed, and nothing is charged': async (use) => {
        const partner = buyer(use, PRICES[product]);
        // The money is free again: the whole balance buys the next one.
        return [await place(partner, product, 'refused'), (await place(partner, product)).status];
      },
      'a vendor that has not decided leaves it processing, to be polled': async (use) =>
        place(buyer(use), product, 'pending'),
      'a refusal by rule frees the reference': [{ geo_scope_global_id: 'GEO-NONE' }, {}],
      'BUSINESS_GEO_SCOPE_UNAVAILABLE: an unknown geo scope': { geo_scope_global_id: 'GEO-NONE' },
      ...own,
      'CONFLICT_ORDER_IN_PROGRESS: a repetition while the vendor has not decided': repeatedWhen('pending'),
      'CONFLICT_ORDER_INTERVENTION_REQUIRED: a repetition while nobody knows what the vendor did':
        repeatedWhen('unknown'),
      'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE: the reference with another amount': [{}, { amount: '11.00' }],
      'SERVICE_UNAVAILABLE: finance away': whileFailing('finance', 'checkFunds'),
    }),
    ...productReads(
      product,
      {},
      {
        [`${notFound}: an order of the other product`]: async (use) => {
          const partner = buyer(use);
          const { order_id } = await place(partner, other);
          return partner.call(use.rpc, { order_id });
        },
      },
    ),
  });
}

/** Orders of each product that a vendor delivers. */
export const vendorOrderServices = NAMES.map(vendorOrders);
