import { CertificationStep } from '@reseller/contracts';
import { showsCreated } from '../certification/orders-shown';
import { ORDER_STATUSES, presentScentOrder } from '@reseller/presenters';
// Without the names of countries in eighty languages, which the package's own entry loads.
import { getAlpha2Codes } from 'i18n-iso-countries/index';
import { z } from 'zod';
import { defineRoute, SENT_ONCE } from '../routes/route';
import { customerRef, externalReference, ownPartner, sagaId, text, uuid } from '../fields/request-fields';
import { discountCode } from '../fields/scent-fields';
import { orderReads } from './order-reads';
import type { Product } from './product';
import { exampleScentOrder, scentOrder } from './scent-order.resource';

const COUNTRIES: ReadonlySet<string> = new Set(Object.keys(getAlpha2Codes()));

const required = (description: string) => text(description, { min: 1, max: 200 });
const optional = (description: string) => text(description, { min: 0, max: 200 }).nullish();

const shippingAddress = z
  .strictObject({
    recipient: required('Who receives it.'),
    line1: required('Street and number.'),
    line2: optional('More of the street address.'),
    city: required('The city.'),
    region: optional('The region or state.'),
    postalCode: optional('The postal code.'),
    country: z
      .string()
      .refine((code) => COUNTRIES.has(code), 'must be a country code of ISO 3166-1 alpha-2, for example SA')
      .meta({ description: 'ISO 3166-1 alpha-2, upper case.', example: 'SA' }),
    phone: required('The recipient’s phone number.'),
  })
  .meta({ description: 'Where the order is sent.' });

const { partnerId } = ownPartner;

const body = z.strictObject({
  partnerId,
  externalReference,
  shippingAddress,
  customerRef: customerRef('The customerRef of the cart to check out; left out for the bare cart.').nullish(),
  lockId: uuid('A price lock from the checkout preview; without one the order is priced live.').nullish(),
  discountCode: discountCode('With a lockId only the code of that lock.').nullish(),
  geoScopeId: uuid('Kept with the order, not checked.').nullish(),
  sagaId,
  partnerTaxRegistrationNumber: text('Your own tax registration number.', { min: 1, max: 200 }).nullish(),
  partnerIsVatRegistered: z
    .boolean()
    .nullish()
    .meta({ description: 'Whether commission bears VAT; your profile decides when left out.' }),
});

/** POST /api/v1/orders/scent */
const createScentOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/orders/scent',
  work: 'orders',
  shows: showsCreated(CertificationStep.SCENT_ORDER),
  tag: 'Scent orders',
  summary: 'Check your cart out',
  description:
    'Makes an order of the open cart: its lines are priced (or taken from the price lock), the stock is reserved, your ' +
    'wallet is charged with VAT and credited your commission. The response is the paid order, with one fulfillment group ' +
    'for each warehouse. A refusal changes nothing: the cart stays open and there is no order.\n\n' +
    'externalReference makes it safe to repeat: the same body returns the original order, also when its cart is gone ' +
    'by then. After a 5xx, or no response at all, send the very same request again. An order that cannot go on by itself ' +
    'is InterventionRequired until our operators carry it on or end it as Failed or Cancelled, with its cart free again.',
  body,
  response: scentOrder,
  links: {
    getScentOrder: { orderId: 'id' },
    getOrderTimeline: { orderGlobalId: 'orderGlobalId' },
    getPriceExplanation: { id: 'id' },
    createReturnRequest: { id: 'id' },
  },
  errors: [
    'CONFLICT_ORDER_IN_PROGRESS',
    'CONFLICT_ORDER_INTERVENTION_REQUIRED',
    'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
    'CONFLICT_CART_HAS_PENDING_ORDER',
    'CONFLICT_CART_CHECKOUT_RACE',
    'VALIDATION_PRICE_LOCK_INVALID',
    'VALIDATION_PRICE_LOCK_EXPIRED',
    'NOT_FOUND_WALLET',
    'BUSINESS_CART_EMPTY',
    'BUSINESS_DISCOUNT_CODE_NOT_APPLICABLE',
    'BUSINESS_INSUFFICIENT_STOCK',
    'BUSINESS_PRICE_BELOW_COST',
    'BUSINESS_MARGIN_BELOW_FLOOR',
    'BUSINESS_INSUFFICIENT_BALANCE',
    'BUSINESS_ORDER_AMOUNT_LIMIT',
    'BUSINESS_SPENDING_LIMIT',
  ],
  examples: {
    body: {
      externalReference: 'INV-2026-0044',
      shippingAddress: {
        recipient: 'Noura Al Harbi',
        line1: 'King Fahd Road 12',
        city: 'Riyadh',
        postalCode: '12211',
        country: 'SA',
        phone: '+966501234567',
      },
    },
    response: exampleScentOrder,
  },
  async handle({ body, call, clients }) {
    const { line2, region, postalCode, ...address } = body.shippingAddress;
    const request = {
      externalReference: body.externalReference,
      shippingAddress: {
        ...address,
        line2: line2 ?? undefined,
        region: region ?? undefined,
        postalCode: postalCode ?? undefined,
      },
      customerRef: body.customerRef ?? undefined,
      geoScopeId: body.geoScopeId ?? undefined,
      sagaId: body.sagaId ?? undefined,
      partnerTaxRegistrationNumber: body.partnerTaxRegistrationNumber ?? undefined,
      partnerIsVatRegistered: body.partnerIsVatRegistered ?? undefined,
      lockId: body.lockId ?? undefined,
      discountCode: body.discountCode ?? undefined,
    };
    return presentScentOrder((await clients.scentOrders.createScentOrder(request, call, SENT_ONCE)).order);
  },
});

/** Scent orders. */
export const scent = {
  name: 'Scent',
  order: scentOrder,
  chapter: 'Scent orders',
  about: 'Check out a cart of perfumes, and follow its parcels from warehouse to door.',
  routes: {
    createScentOrder,
    ...orderReads({
      name: 'ScentOrder',
      step: CertificationStep.SCENT_ORDER,
      path: '/api/v1/orders/scent',
      tag: 'Scent orders',
      noun: 'a scent order',
      plural: 'scent orders',
      create: 'checkout',
      idField: 'id',
      statuses: ORDER_STATUSES,
      exampleStatus: 'Processing',
      filters: {
        customerRef: customerRef('Only orders of this customer, compared exactly.').optional(),
      },
      order: scentOrder,
      example: exampleScentOrder,
      exampleId: exampleScentOrder.id,
      notFound: 'NOT_FOUND_SCENT_ORDER',
      present: presentScentOrder,
      get: ({ scentOrders: orders }, orderId, call) => orders.getScentOrder({ orderId }, call),
      getByReference: ({ scentOrders: orders }, reference, call) =>
        orders.getScentOrderByReference(reference, call),
      list: ({ scentOrders: orders }, request, call) => orders.listScentOrders(request, call),
    }),
  },
} as const satisfies Product;
