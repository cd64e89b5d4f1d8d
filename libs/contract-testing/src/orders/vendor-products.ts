import { expect, inTheOtherEnvironment } from '../prelude';
import type { ErrorCode, Message, Sentences } from '../prelude';

/** How an order at the vendor ends, by the simulator's table. */
const ENDS = {
  completed: { phone: '9999', tag: '' },
  refused: { phone: '0001', tag: '+fail' },
  pending: { phone: '0003', tag: '+pending' },
  unknown: { phone: '0005', tag: '+unknown' },
};
export type Ends = keyof typeof ENDS;

/** A product that a vendor delivers, as its contract differs from the others'. */
interface VendorProduct {
  /** What an order costs. */
  readonly price: string;
  /** What is particular in a create, of an order that ends so. */
  readonly request: (ends: Ends) => Message;
  readonly notFound: ErrorCode;
  /** Promises and refusals of its create that no other product has. */
  readonly own: Sentences;
}

const SAUDI = { geo_scope_global_id: 'GEO-SA' };

/** Every product that a vendor delivers; a new one is a row. */
export const VENDOR_PRODUCTS = {
  Topup: {
    price: '10.00',
    request: (ends) => ({ ...SAUDI, amount: '10.00', phone_number: `+96650000${ENDS[ends].phone}` }),
    notFound: 'NOT_FOUND_TOPUP_ORDER',
    own: {
      'BUSINESS_AMOUNT_OUT_OF_RANGE: more than the geo scope’s most': { amount: '1000000.00' },
      'BUSINESS_PHONE_NOT_IN_GEO_SCOPE: another country’s number': { phone_number: '+4915123456789' },
      'BUSINESS_PRODUCT_UNAVAILABLE: a live order where no vendor is set up': inTheOtherEnvironment,
    },
  },
  Esim: {
    price: '19.00',
    request: (ends) => ({
      ...SAUDI,
      product_sku: 'ESIM-SA-1GB-7D',
      email: `traveller${ENDS[ends].tag}@example.com`,
      amount: '19.00',
    }),
    notFound: 'NOT_FOUND_ESIM_ORDER',
    own: {
      'comes with its activation code as eSIMs have it': async (_, { call }) =>
        expect((await call()).order).toMatchObject({ esim_qr_code: expect.stringMatching(/^LPA:1\$/) }),
      'BUSINESS_PRODUCT_UNAVAILABLE: an unknown product': { product_sku: 'ESIM-NONE' },
      'BUSINESS_PRICE_MISMATCH: another amount than the product’s': { amount: '18.00' },
    },
  },
} as const satisfies Record<string, VendorProduct>;

export type VendorProductName = keyof typeof VENDOR_PRODUCTS;
