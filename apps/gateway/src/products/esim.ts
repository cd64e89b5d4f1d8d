import { CertificationStep } from '@reseller/contracts';
import { showsCreated } from '../certification/orders-shown';
import { presentEsimOrder, SIMPLE_ORDER_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { EXAMPLE_PARTNER_ID, exampleProgress } from '../routes/examples';
import { defineRoute, SENT_ONCE } from '../routes/route';
import {
  amount,
  email,
  externalReference,
  name,
  ownPartner,
  positiveInteger,
  positiveNumber,
  sagaId,
} from '../fields/request-fields';
import { vendorOrder } from '../fields/order-fields';
import { orderReads } from './order-reads';
import type { Product } from './product';

/** What an eSIM holds and for how long. */
export const plan = {
  productSku: z.string(),
  dataAllowance: z.number().meta({ description: 'In GB.' }),
  validityDays: z.int(),
};

const untilCompleted = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description} Null until Completed.` });

/** An eSIM order with every field of the specification, and the QR code drawn. */
const esimOrder = z
  .strictObject({
    ...vendorOrder('Esim'),
    ...plan,
    email: z.string(),
    esimIccid: untilCompleted('The serial number of the eSIM.'),
    esimQrCode: untilCompleted('What a QR code of the eSIM holds: LPA:1$….'),
    esimActivationCode: untilCompleted('The code to type by hand.'),
    esimPlanDetails: untilCompleted('The plan in words.'),
    esimQrCodeImage: untilCompleted(
      'esimQrCode as a picture: an SVG in a data URL (data:image/svg+xml;base64,…), for the src of an img. About ' +
        '3 KB. Null also where there is no esimQrCode.',
    ),
  })
  .meta({ id: 'EsimOrder' });

/** An eSIM of 59 SAR that was provisioned. */
const exampleEsimOrder = {
  orderId: '019a2f41-2c2d-7e55-8b1a-3f4e5d6c7b8c',
  orderGlobalId: 'ES-01K8QM2B1DFSARP6HZ9SEPRYWC',
  sagaId: '019a2f41-2c2d-7e55-8b1a-3f4e5d6c7b8d',
  partnerId: EXAMPLE_PARTNER_ID,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'INV-2026-0043',
  productSku: 'ESIM-SA-5GB-30D',
  email: 'traveller@example.com',
  dataAllowance: 5,
  validityDays: 30,
  status: 'Completed' as const,
  statusDetail: { productType: 'Esim' as const, statusCode: 'ESIM_SUCCESS', description: null },
  esimIccid: '89966990000000000015',
  esimQrCode: 'LPA:1$smdp.example.com$4F2A-91C0-77DE-03B8',
  esimQrCodeImage: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
  esimActivationCode: '4F2A-91C0-77DE-03B8',
  esimPlanDetails: 'Saudi Arabia, 5 GB for 30 days; starts when first connected.',
  ...exampleProgress,
  amount: 59,
  amountDisplay: 15.73,
};

const body = z.strictObject({
  ...ownPartner,
  externalReference,
  geoScopeGlobalId: name('Where the eSIM is used; see GET /api/v1/geo-scopes.').meta({ example: 'GEO-SA' }),
  productSku: name('The plan; see GET /api/v1/esim/products.').meta({ example: 'ESIM-SA-5GB-30D' }),
  email: email('Where the eSIM is sent.'),
  amount: amount('The product’s price, in SAR; any other is refused.'),
  dataAllowance: positiveNumber('In GB. May be left out; must be the product’s when given.').nullish(),
  validityDays: positiveInteger('May be left out; must be the product’s when given.').nullish(),
  sagaId,
});

/** POST /api/v1/orders/esim */
const createEsimOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/orders/esim',
  work: 'orders',
  shows: showsCreated(CertificationStep.ESIM_ORDER),
  tag: 'eSIM orders',
  summary: 'Order an eSIM',
  description:
    'Charges your wallet, has the eSIM provisioned, and responds with the outcome after at most ten seconds. Once ' +
    'Completed the order holds what turns the eSIM on: esimQrCode is the text for a QR code, esimActivationCode the ' +
    'code to type by hand. A vendor’s refusal is an order with status Failed and nothing charged. Processing means ' +
    'that the vendor has not decided yet: read the order again after nextPollAt, or wait for the webhook.\n\n' +
    'amount, and dataAllowance and validityDays when given, must be the product’s: an order never costs or holds ' +
    'what you did not expect.\n\n' +
    'externalReference makes it safe to repeat: the same body returns the original order and never a second one. ' +
    'After a 5xx, or no response at all, send the very same request again.\n\n' +
    'In the sandbox the tag in the address’s local part (anyone+fail@example.com) chooses the outcome: fail refused, ' +
    'outage an outage that passes, pending pending then completed, pendingfail pending then refused, unknown, ' +
    'dropped a dropped connection, slow; any other address completes at once.',
  body,
  response: esimOrder,
  links: { getEsimOrder: { orderId: 'orderId' }, getOrderTimeline: { orderGlobalId: 'orderGlobalId' } },
  errors: [
    'CONFLICT_ORDER_IN_PROGRESS',
    'CONFLICT_ORDER_INTERVENTION_REQUIRED',
    'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
    'NOT_FOUND_WALLET',
    'BUSINESS_GEO_SCOPE_UNAVAILABLE',
    'BUSINESS_PRODUCT_UNAVAILABLE',
    'BUSINESS_PRICE_MISMATCH',
    'BUSINESS_INSUFFICIENT_BALANCE',
    'BUSINESS_ORDER_AMOUNT_LIMIT',
    'BUSINESS_SPENDING_LIMIT',
  ],
  examples: {
    body: {
      externalReference: 'INV-2026-0043',
      geoScopeGlobalId: 'GEO-SA',
      productSku: 'ESIM-SA-5GB-30D',
      email: 'traveller@example.com',
      amount: 59,
      dataAllowance: 5,
      validityDays: 30,
    },
    response: exampleEsimOrder,
  },
  async handle({ body, call, clients }) {
    const request = {
      geoScopeGlobalId: body.geoScopeGlobalId,
      externalReference: body.externalReference,
      productSku: body.productSku,
      email: body.email,
      amount: body.amount,
      dataAllowance: body.dataAllowance ?? undefined,
      validityDays: body.validityDays ?? undefined,
      sagaId: body.sagaId ?? undefined,
    };
    return presentEsimOrder((await clients.esimOrders.createEsimOrder(request, call, SENT_ONCE)).order);
  },
});

/** eSIM orders. */
export const esim = {
  name: 'Esim',
  order: esimOrder,
  chapter: 'eSIM orders',
  about: 'Sell a data plan that a phone downloads: a QR code to scan, or a code to type by hand.',
  routes: {
    createEsimOrder,
    ...orderReads({
      name: 'EsimOrder',
      step: CertificationStep.ESIM_ORDER,
      path: '/api/v1/orders/esim',
      tag: 'eSIM orders',
      noun: 'an eSIM order',
      plural: 'eSIM orders',
      create: 'create',
      idField: 'orderId',
      statuses: SIMPLE_ORDER_STATUSES,
      exampleStatus: 'Completed',
      order: esimOrder,
      example: exampleEsimOrder,
      exampleId: exampleEsimOrder.orderId,
      notFound: 'NOT_FOUND_ESIM_ORDER',
      present: presentEsimOrder,
      get: ({ esimOrders: orders }, orderId, call) => orders.getEsimOrder({ orderId }, call),
      getByReference: ({ esimOrders: orders }, reference, call) =>
        orders.getEsimOrderByReference(reference, call),
      list: ({ esimOrders: orders }, request, call) => orders.listEsimOrders(request, call),
    }),
  },
} as const satisfies Product;
