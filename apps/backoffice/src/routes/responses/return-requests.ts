import { RETURN_REASONS, RETURN_REQUEST_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { count, moment, pageOfItems } from './fields';

/** A return request of any partner. */
export const returnRequestResponse = z
  .strictObject({
    id: z.string(),
    scentOrderId: z.string(),
    orderGlobalId: z.string(),
    fulfillmentGroupId: z.string(),
    partnerId: z.string(),
    status: z.enum(RETURN_REQUEST_STATUSES),
    requestedAt: moment,
    decidedAt: moment.nullable(),
    decidedByUserId: z.string().nullable(),
    declineReason: z.string().nullable(),
    lines: z.array(
      z.strictObject({
        id: z.string(),
        scentOrderLineId: z.string(),
        quantity: count,
        reasonCode: z.enum(RETURN_REASONS),
      }),
    ),
  })
  .meta({ id: 'ReturnRequest' });

/** A page of return requests. */
export const returnRequestsPage = pageOfItems(returnRequestResponse);
