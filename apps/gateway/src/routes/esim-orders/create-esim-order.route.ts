import { z } from 'zod';
import { presentEsimOrder } from '@reseller/presenters';
import {
  amount,
  email,
  externalReference,
  name,
  ownPartner,
  positiveInteger,
  positiveNumber,
  sagaId,
} from '../../schemas/fields';
import { esimOrder } from '../../schemas/orders';
import { exampleEsimOrder } from '../examples';
import { SENT_ONCE, defineRoute } from '../route';

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
export const createEsimOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/orders/esim',
  tag: 'eSIM orders',
  summary: 'Order an eSIM',
  description:
    'Charges your wallet, has the eSIM provisioned, and answers with the outcome after at most ten seconds. Once ' +
    'Completed the order holds what turns the eSIM on: esimQrCode is the text for a QR code, esimActivationCode the ' +
    'code to type by hand. A vendor’s refusal is an order with status Failed and nothing charged. Processing means ' +
    'that the vendor has not decided yet: read the order again after nextPollAt, or wait for the webhook.\n\n' +
    'amount, and dataAllowance and validityDays when given, must be the product’s: an order never costs or holds ' +
    'what you did not expect.\n\n' +
    'externalReference makes it safe to repeat: the same body answers the original order and never a second one. ' +
    'After a 5xx, or no answer at all, send the very same request again.\n\n' +
    'In the sandbox the tag in the address’s local part (anyone+fail@example.com) chooses the outcome: fail refused, ' +
    'outage an outage that passes, pending pending then completed, pendingfail pending then refused, unknown, ' +
    'dropped a dropped connection, slow; any other address completes at once.',
  body,
  response: esimOrder,
  errors: [
    'CONFLICT_ORDER_IN_PROGRESS',
    'CONFLICT_ORDER_INTERVENTION_REQUIRED',
    'CONFLICT_DUPLICATE_EXTERNAL_REFERENCE',
    'NOT_FOUND_WALLET',
    'BUSINESS_GEO_SCOPE_UNAVAILABLE',
    'BUSINESS_PRODUCT_UNAVAILABLE',
    'BUSINESS_PRICE_MISMATCH',
    'BUSINESS_INSUFFICIENT_BALANCE',
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
