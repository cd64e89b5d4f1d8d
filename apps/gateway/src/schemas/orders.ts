import { z } from 'zod';
import { ORDER_STATUSES, SIMPLE_ORDER_STATUSES } from '@reseller/presenters';
import { display, displayMoney, id, moment, money } from './envelope';
import { scentOrder } from './scent-orders';

/** The products an order can be for. */
export const PRODUCT_TYPES = ['Topup', 'Esim', 'Scent'] as const;

const submittedAt = moment('When the order was accepted.');
const completedAt = moment('When it first became Completed, Failed or Cancelled.').nullable();

const charge = {
  amount: money('What the order costs.'),
  currency: z.string(),
  ...display,
  amountDisplay: displayMoney('The amount'),
};

/** What an order of either product has that a vendor delivers. */
const vendorOrder = <P extends 'Topup' | 'Esim'>(productType: P) => ({
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
  submittedAt,
  completedAt,
  currentRetryCount: z.int().meta({ description: 'How often the vendor was asked again.' }),
  nextPollAt: moment('When the vendor is asked again; null except while Processing.').nullable(),
  ...charge,
});

/** A top-up order with every field of the specification. */
export const topupOrder = z
  .strictObject({ ...vendorOrder('Topup'), phoneNumber: z.string(), vendorOrderId: z.string().nullable() })
  .meta({ id: 'TopupOrder' });

const plan = {
  productSku: z.string(),
  dataAllowance: z.number().meta({ description: 'In GB.', format: 'decimal' }),
  validityDays: z.int(),
};

const untilCompleted = (description: string) =>
  z
    .string()
    .nullable()
    .meta({ description: `${description} Null until Completed.` });

/** An eSIM order with every field of the specification, and the QR code drawn. */
export const esimOrder = z
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

/** An eSIM plan that can be ordered in one geo scope. */
export const esimProduct = z
  .strictObject({
    ...plan,
    name: z.string(),
    geoScopeGlobalId: z.string(),
    amount: money('What an order costs, and must name.'),
    currency: z.string(),
    isActive: z.boolean().meta({ description: 'An inactive product cannot be ordered.' }),
  })
  .meta({ id: 'EsimProduct' });

const summaryFields = {
  productType: z.enum(PRODUCT_TYPES),
  orderId: id('The id under the product’s own path.'),
  orderGlobalId: z.string(),
  externalReference: z.string(),
  status: z.enum(ORDER_STATUSES),
  submittedAt,
  completedAt,
  customerRef: z.string().nullable().meta({ description: 'Null but for scent orders.' }),
  ...charge,
};

/** What orders of all products have in common. */
export const orderSummary = z.strictObject(summaryFields).meta({ id: 'OrderSummary' });

/** The same with the product's own full resource. */
export const unifiedOrder = z
  .strictObject({
    ...summaryFields,
    order: z.union([topupOrder, esimOrder, scentOrder]),
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
