import { SIMPLE_ORDER_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { display, displayMoney, id, moment, money } from './response-fields';

// Response fields that orders have in common.

/** When an order was accepted and came to its end. */
export const orderTimes = {
  submittedAt: moment('When the order was accepted.'),
  completedAt: moment('When it first became Completed, Failed or Cancelled.').nullable(),
};

/** What an order costs. */
export const charge = {
  amount: money('What the order costs.'),
  currency: z.string(),
  ...display,
  amountDisplay: displayMoney('The amount'),
};

/** What an order of every product has that a vendor delivers. */
export const vendorOrder = <P extends string>(productType: P) => ({
  orderId: id(`The id for GET /api/v1/orders/${productType.toLowerCase()}/{orderId}.`),
  orderGlobalId: z.string().meta({ description: 'The id people use; the same over every product.' }),
  sagaId: z.string(),
  partnerId: id('Whose order it is.'),
  partnerGlobalId: z.string(),
  geoScopeGlobalId: z.string(),
  externalReference: z.string(),
  status: z.enum(SIMPLE_ORDER_STATUSES),
  statusDetail: z.strictObject({
    productType: z.literal(productType),
    statusCode: z.string().meta({ description: `For example ${productType.toUpperCase()}_SUCCESS.` }),
    description: z.string().nullable(),
  }),
  errorMessage: z.string().nullable(),
  failureCode: z
    .string()
    .nullable()
    .meta({ description: 'VENDOR_REFUSED or OPERATOR_DECISION when Failed.' }),
  ...orderTimes,
  currentRetryCount: z.int().meta({ description: 'How often the vendor was called again.' }),
  nextPollAt: moment('When the vendor is called again; null except while Processing.').nullable(),
  ...charge,
});
