import { z } from 'zod';
import { ORDER_STATUSES, SIMPLE_ORDER_STATUSES } from '@reseller/presenters';
import { display, displayMoney, id, moment, money } from './envelope';

/** The products an order can be for. */
export const PRODUCT_TYPES = ['Topup', 'Esim', 'Scent'] as const;

const submittedAt = moment('When the order was accepted.');
const completedAt = moment('When it first became Completed, Failed or Cancelled.').nullable();

/** A top-up order with every field of the specification. */
export const topupOrder = z
  .strictObject({
    orderId: id('The id for GET /api/v1/orders/topup/{orderId}.'),
    orderGlobalId: z.string().meta({ description: 'The id people use; the same over every product.' }),
    sagaId: z.string(),
    partnerId: id('Whose order it is.'),
    partnerGlobalId: z.string(),
    geoScopeGlobalId: z.string(),
    externalReference: z.string(),
    phoneNumber: z.string(),
    amount: money('What the order costs.'),
    currency: z.string(),
    status: z.enum(SIMPLE_ORDER_STATUSES),
    statusDetail: z.strictObject({
      productType: z.literal('Topup'),
      statusCode: z.string().meta({ description: 'For example TOPUP_SUCCESS.' }),
      description: z.string().nullable(),
    }),
    vendorOrderId: z.string().nullable(),
    errorMessage: z.string().nullable(),
    failureCode: z
      .string()
      .nullable()
      .meta({ description: 'VENDOR_REFUSED or OPERATOR_DECISION when Failed.' }),
    submittedAt,
    completedAt,
    currentRetryCount: z.int().meta({ description: 'How often the vendor was asked again.' }),
    nextPollAt: moment('When the vendor is asked again; null except while Processing.').nullable(),
    ...display,
    amountDisplay: displayMoney('The amount'),
  })
  .meta({ id: 'TopupOrder' });

const summaryFields = {
  productType: z.enum(PRODUCT_TYPES),
  orderId: id('The id under the product’s own path.'),
  orderGlobalId: z.string(),
  externalReference: z.string(),
  status: z.enum(ORDER_STATUSES),
  amount: money('What the order costs.'),
  currency: z.string(),
  submittedAt,
  completedAt,
  customerRef: z.string().nullable().meta({ description: 'Null but for scent orders.' }),
  ...display,
  amountDisplay: displayMoney('The amount'),
};

/** What orders of all products have in common. */
export const orderSummary = z.strictObject(summaryFields).meta({ id: 'OrderSummary' });

/** The same with the product's own full resource. */
export const unifiedOrder = z
  .strictObject({
    ...summaryFields,
    order: topupOrder,
  })
  .meta({ id: 'UnifiedOrder' });

/** Where a product can be sold, and within which limits. */
export const geoScope = z
  .strictObject({
    globalId: z.string(),
    name: z.string(),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.' }),
    currency: z.string(),
    products: z.array(z.enum(['Topup', 'Esim'])),
    topup: z
      .strictObject({ minAmount: money('The least amount.'), maxAmount: money('The largest amount.') })
      .nullable()
      .meta({ description: 'Null where no top-up is sold.' }),
  })
  .meta({ id: 'GeoScope' });
