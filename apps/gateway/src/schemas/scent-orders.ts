import {
  GROUP_STATUSES,
  ORDER_STATUSES,
  RETURN_REASONS,
  RETURN_REQUEST_STATUSES,
} from '@reseller/presenters';
import { z } from 'zod';
import { display, displayMoney, id, moment, money } from './envelope';

const optionalMoney = (description: string) => z.number().nullable().meta({ description, format: 'decimal' });

const line = z
  .strictObject({
    id: id('The line’s id, for return requests.'),
    variantId: id('What was bought.'),
    quantity: z.int(),
    returnedQuantity: z.int().meta({ description: 'Units of approved returns.' }),
    unitAmount: money('Goods for one unit after the discount, without VAT; four decimals.'),
    lineTotal: money('Goods after the discount, without VAT.'),
    partnerCommission: optionalMoney('Your commission, without VAT.'),
    pricingMode: z.string().meta({ description: 'Live, or Locked when a price lock was used.' }),
    source: z.string().nullable().meta({ description: 'The warehouse’s code.' }),
    taxClassification: z.string().meta({ description: 'STANDARD or ZERO.' }),
    vatRateApplied: z.number().meta({ description: 'A fraction: 0.15 is 15%.', format: 'decimal' }),
    lineGoodsVatAmount: money('VAT of the goods.'),
    lineCommissionVatAmount: optionalMoney('VAT of the commission.'),
    unitAmountDisplay: displayMoney('unitAmount'),
    lineTotalDisplay: displayMoney('lineTotal'),
    partnerCommissionDisplay: displayMoney('partnerCommission'),
    fulfillmentGroupId: id('The group it is shipped with.'),
  })
  .meta({ id: 'ScentOrderLine' });

const fulfillmentGroup = z
  .strictObject({
    id: id('The group’s id, for return requests.'),
    status: z.enum(GROUP_STATUSES),
    deliveredAt: moment('When it was delivered.').nullable(),
  })
  .meta({ id: 'FulfillmentGroup' });

const shippingAddress = z
  .strictObject({
    recipient: z.string(),
    line1: z.string(),
    line2: z.string().nullable(),
    city: z.string(),
    region: z.string().nullable(),
    postalCode: z.string().nullable(),
    country: z.string().meta({ description: 'ISO 3166-1 alpha-2.' }),
    phone: z.string(),
  })
  .meta({ id: 'ShippingAddress' });

/** A scent order with every field of the specification. */
export const scentOrder = z
  .strictObject({
    id: id('The id for GET /api/v1/orders/scent/{orderId}.'),
    orderGlobalId: z.string().meta({ description: 'The id people use; the same over every product.' }),
    sagaId: z.string(),
    partnerId: id('Whose order it is.'),
    externalReference: z.string(),
    customerRef: z.string().nullable(),
    totalAmount: money('Goods of all lines, without VAT.'),
    totalCommission: money('Commission of all lines, without VAT.'),
    currency: z.string(),
    status: z.enum(ORDER_STATUSES),
    lines: z.array(line),
    fulfillmentGroups: z.array(fulfillmentGroup).meta({ description: 'The lines of one warehouse each.' }),
    deliveryRollup: z.strictObject({
      totalGroups: z.int().meta({ description: 'All groups, cancelled ones too.' }),
      deliveredGroups: z.int(),
    }),
    totalGoodsVatAmount: money('VAT of all goods.'),
    totalCommissionVatAmount: money('VAT of all commission.'),
    totalAmountWithVat: money('What the wallet was charged.'),
    totalCommissionWithVat: money('What the wallet was credited.'),
    taxPoint: moment('When the charge was captured.').nullable(),
    platformTaxRegistrationNumber: z.string().nullable(),
    partnerTaxRegistrationNumber: z.string().nullable(),
    partnerIsVatRegistered: z.boolean(),
    ...display,
    totalAmountDisplay: displayMoney('totalAmount'),
    shippingAddress,
    discountCode: z.string().nullable(),
    discountAmount: optionalMoney('What the discount took off, without VAT; null without one.'),
    submittedAt: moment('When the order was accepted.'),
    completedAt: moment('When it first became Completed or Cancelled.').nullable(),
  })
  .meta({ id: 'ScentOrder' });

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
