import { RETURN_REASONS, RETURN_REQUEST_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { exampleScentOrder } from '../../products/scent-order.resource';
import { id, moment } from '../../fields/response-fields';

/** A return request with every field of the specification. */
export const returnRequest = z
  .strictObject({
    id: id('The request’s id.'),
    scentOrderId: id('The order it is about.'),
    orderGlobalId: z.string(),
    fulfillmentGroupId: id('The group it is about.'),
    partnerId: id('Whose request it is.'),
    status: z.enum(RETURN_REQUEST_STATUSES),
    requestedAt: moment('When it was made.'),
    decidedAt: moment('When it was approved or declined.').nullable(),
    decidedByUserId: id('Who decided.').nullable(),
    declineReason: z.string().nullable(),
    lines: z.array(
      z.strictObject({
        id: id('The line’s id.'),
        scentOrderLineId: id('The order line.'),
        quantity: z.int(),
        reasonCode: z.enum(RETURN_REASONS),
      }),
    ),
  })
  .meta({ id: 'ReturnRequest' });

/** A request for one unit of the example order. */
export const exampleReturnRequest = {
  id: '019a2f43-4c2d-7e55-8b1a-3f4e5d6c7ba0',
  scentOrderId: exampleScentOrder.id,
  orderGlobalId: exampleScentOrder.orderGlobalId,
  fulfillmentGroupId: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b94',
  partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10',
  status: 'Pending' as const,
  requestedAt: '2026-01-18T08:00:00.000Z',
  decidedAt: null,
  decidedByUserId: null,
  declineReason: null,
  lines: [
    {
      id: '019a2f43-4c2d-7e55-8b1a-3f4e5d6c7ba1',
      scentOrderLineId: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b92',
      quantity: 1,
      reasonCode: 'Damaged' as const,
    },
  ],
};
