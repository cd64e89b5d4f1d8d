import { z } from 'zod';
import { presentTopupOrder } from '@reseller/presenters';
import { amount, externalReference, name, ownPartner, phoneNumber, sagaId } from '../../schemas/fields';
import { topupOrder } from '../../schemas/orders';
import { exampleTopupOrder } from '../examples';
import { SENT_ONCE, defineRoute } from '../route';

const body = z.strictObject({
  ...ownPartner,
  externalReference,
  geoScopeGlobalId: name('Where the number is; see GET /api/v1/geo-scopes.').meta({ example: 'GEO-SA' }),
  amount: amount('What to load, in SAR, within the geo scope’s limits.'),
  phoneNumber: phoneNumber('The number to load, in E.164 form.'),
  sagaId,
});

/** POST /api/v1/orders/topup */
export const createTopupOrder = defineRoute({
  method: 'POST',
  path: '/api/v1/orders/topup',
  tag: 'Top-up orders',
  summary: 'Top up a phone number',
  description:
    'Charges your wallet and loads the number, and answers with the outcome after at most ten seconds. A vendor’s ' +
    'refusal is an order with status Failed and nothing charged. Processing means that the vendor has not decided ' +
    'yet: read the order again after nextPollAt, or wait for the webhook.\n\n' +
    'externalReference makes it safe to repeat: the same body answers the original order and never a second one. ' +
    'After a 5xx, or no answer at all, send the very same request again.\n\n' +
    'In the sandbox the number’s last four digits choose the outcome: 0001 refused, 0002 an outage that passes, ' +
    '0003 pending then completed, 0004 pending then refused, 0005 unknown, 0006 a dropped connection, 0007 slow; ' +
    'any other completes at once.',
  body,
  response: topupOrder,
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
