import { CertificationStep } from '@reseller/contracts';
import { showsCreated } from '../certification/orders-shown';
import { presentTopupOrder, SIMPLE_ORDER_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { EXAMPLE_PARTNER_ID, exampleProgress } from '../routes/examples';
import { defineRoute, SENT_ONCE } from '../routes/route';
import { amount, externalReference, name, ownPartner, phoneNumber, sagaId } from '../fields/request-fields';
import { vendorOrder } from '../fields/order-fields';
import { orderReads } from './order-reads';
import type { Product } from './product';

/** A top-up order with every field of the specification. */
const topupOrder = z
  .strictObject({ ...vendorOrder('Topup'), phoneNumber: z.string(), vendorOrderId: z.string().nullable() })
  .meta({ id: 'TopupOrder' });

/** A top-up of 25.50 SAR that went through. */
export const exampleTopupOrder = {
  orderId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8a',
  orderGlobalId: 'TU-01K8QM071DFSARP6HZ9SEPRYWA',
  sagaId: '019a2f40-1c2d-7e55-8b1a-3f4e5d6c7b8b',
  partnerId: EXAMPLE_PARTNER_ID,
  partnerGlobalId: 'PRT-000001',
  geoScopeGlobalId: 'GEO-SA',
  externalReference: 'INV-2026-0042',
  phoneNumber: '+966501234567',
  status: 'Completed' as const,
  statusDetail: { productType: 'Topup' as const, statusCode: 'TOPUP_SUCCESS', description: null },
  vendorOrderId: 'V-7781',
  ...exampleProgress,
  amount: 25.5,
  amountDisplay: 6.8,
};

const body = z.strictObject({
  ...ownPartner,
  externalReference,
  geoScopeGlobalId: name('Where the number is; see GET /api/v1/geo-scopes.').meta({ example: 'GEO-SA' }),
  amount: amount('What to load, in SAR, within the geo scope’s limits.'),
  phoneNumber: phoneNumber('The number to load, in E.164 form.'),
  sagaId,
});

/** POST /api/v1/orders/topup */
const createTopupOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/orders/topup',
  work: 'orders',
  shows: showsCreated(CertificationStep.TOPUP_ORDER),
  tag: 'Top-up orders',
  summary: 'Top up a phone number',
  description:
    'Charges your wallet and loads the number, and responds with the outcome after at most ten seconds. A vendor’s ' +
    'refusal is an order with status Failed and nothing charged. Processing means that the vendor has not decided ' +
    'yet: read the order again after nextPollAt, or wait for the webhook.\n\n' +
    'externalReference makes it safe to repeat: the same body returns the original order and never a second one. ' +
    'After a 5xx, or no response at all, send the very same request again.\n\n' +
    'In the sandbox the number’s last four digits choose the outcome: 0001 refused, 0002 an outage that passes, ' +
    '0003 pending then completed, 0004 pending then refused, 0005 unknown, 0006 a dropped connection, 0007 slow; ' +
    'any other completes at once.',
  body,
  response: topupOrder,
  links: { getTopupOrder: { orderId: 'orderId' }, getOrderTimeline: { orderGlobalId: 'orderGlobalId' } },
  errors: [
    'CONFLICT_ORDER_IN_PROGRESS',
    'CONFLICT_ORDER_INTERVENTION_REQUIRED',
    'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
    'NOT_FOUND_WALLET',
    'BUSINESS_GEO_SCOPE_UNAVAILABLE',
    'BUSINESS_AMOUNT_OUT_OF_RANGE',
    'BUSINESS_PHONE_NOT_IN_GEO_SCOPE',
    'BUSINESS_PRODUCT_UNAVAILABLE',
    'BUSINESS_INSUFFICIENT_BALANCE',
    'BUSINESS_ORDER_AMOUNT_LIMIT',
    'BUSINESS_SPENDING_LIMIT',
    'BUSINESS_RECIPIENT_LIMIT',
  ],
  examples: {
    body: {
      externalReference: 'INV-2026-0042',
      geoScopeGlobalId: 'GEO-SA',
      amount: 25.5,
      phoneNumber: '+966501234567',
    },
    response: exampleTopupOrder,
  },
  async handle({ body, call, clients }) {
    const request = {
      geoScopeGlobalId: body.geoScopeGlobalId,
      externalReference: body.externalReference,
      amount: body.amount,
      phoneNumber: body.phoneNumber,
      sagaId: body.sagaId ?? undefined,
    };
    return presentTopupOrder((await clients.topupOrders.createTopupOrder(request, call, SENT_ONCE)).order);
  },
});

/** Top-up orders. */
export const topup = {
  name: 'Topup',
  order: topupOrder,
  chapter: 'Top-up orders',
  about:
    'Load a phone number with credit. The outcome comes with the response, or by webhook when the vendor is slow.',
  routes: {
    createTopupOrder,
    ...orderReads({
      name: 'TopupOrder',
      step: CertificationStep.TOPUP_ORDER,
      path: '/api/v1/orders/topup',
      tag: 'Top-up orders',
      noun: 'a top-up order',
      plural: 'top-up orders',
      create: 'create',
      idField: 'orderId',
      statuses: SIMPLE_ORDER_STATUSES,
      exampleStatus: 'Completed',
      order: topupOrder,
      example: exampleTopupOrder,
      exampleId: exampleTopupOrder.orderId,
      notFound: 'NOT_FOUND_TOPUP_ORDER',
      present: presentTopupOrder,
      get: ({ topupOrders: orders }, orderId, call) => orders.getTopupOrder({ orderId }, call),
      getByReference: ({ topupOrders: orders }, reference, call) =>
        orders.getTopupOrderByReference(reference, call),
      list: ({ topupOrders: orders }, request, call) => orders.listTopupOrders(request, call),
    }),
  },
} as const satisfies Product;
