import { GROUP_STATUSES, ORDER_STATUSES } from '@reseller/presenters';
import { z } from 'zod';
import { display, displayMoney, id, moment, money } from '../fields/response-fields';

const optionalMoney = (description: string) => z.number().nullable().meta({ description });

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
    vatRateApplied: z.number().meta({ description: 'A fraction: 0.15 is 15%.' }),
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

/** A scent order of one line, 218.50 SAR with VAT, delivered. */
export const exampleScentOrder = {
  id: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b90',
  orderGlobalId: 'SC-01K8QM4F1DFSARP6HZ9SEPRYWE',
  sagaId: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b91',
  partnerId: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a10',
  externalReference: 'INV-2026-0044',
  customerRef: null,
  totalAmount: 190,
  totalCommission: 19,
  currency: 'SAR',
  status: 'Completed' as const,
  lines: [
    {
      id: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b92',
      variantId: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b93',
      quantity: 2,
      returnedQuantity: 0,
      unitAmount: 95,
      lineTotal: 190,
      partnerCommission: 19,
      pricingMode: 'Live',
      source: 'RUH-1',
      taxClassification: 'STANDARD',
      vatRateApplied: 0.15,
      lineGoodsVatAmount: 28.5,
      lineCommissionVatAmount: 2.85,
      unitAmountDisplay: 25.33,
      lineTotalDisplay: 50.67,
      partnerCommissionDisplay: 5.07,
      fulfillmentGroupId: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b94',
    },
  ],
  fulfillmentGroups: [
    {
      id: '019a2f42-3c2d-7e55-8b1a-3f4e5d6c7b94',
      status: 'Delivered' as const,
      deliveredAt: '2026-01-17T14:05:00.000Z',
    },
  ],
  deliveryRollup: { totalGroups: 1, deliveredGroups: 1 },
  totalGoodsVatAmount: 28.5,
  totalCommissionVatAmount: 2.85,
  totalAmountWithVat: 218.5,
  totalCommissionWithVat: 21.85,
  taxPoint: '2026-01-15T09:30:00.380Z',
  platformTaxRegistrationNumber: '300000000000003',
  partnerTaxRegistrationNumber: '310000000000003',
  partnerIsVatRegistered: true,
  displayCurrency: 'USD',
  rate: 0.266667,
  totalAmountDisplay: 50.67,
  shippingAddress: {
    recipient: 'Noura Al Harbi',
    line1: 'King Fahd Road 12',
    line2: null,
    city: 'Riyadh',
    region: null,
    postalCode: '12211',
    country: 'SA',
    phone: '+966501234567',
  },
  discountCode: null,
  discountAmount: null,
  submittedAt: '2026-01-15T09:30:00.000Z',
  completedAt: '2026-01-17T14:05:00.000Z',
};
