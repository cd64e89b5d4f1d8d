import { GROUP_STATUSES, ORDER_STATUSES, PRODUCT_TYPES } from '@reseller/presenters';
import { z } from 'zod';
import { amount, environmentName, moment, pageOfItems } from './fields';
import { ledgerLine } from './wallets';
import { webhookDelivery } from './webhook-deliveries';

const parkedWork = z
  .strictObject({
    step: z.string(),
    code: z.string(),
    reason: z.string(),
    since: moment,
    subjectId: z
      .string()
      .nullable()
      .meta({ description: 'The group or return it is about; null for the order.' }),
  })
  .meta({ id: 'ParkedWork', description: 'What is not tried any more until somebody decides.' });

/** An order of any partner in a list. */
export const orderRow = z
  .strictObject({
    productType: z.enum(PRODUCT_TYPES),
    orderId: z.string(),
    orderGlobalId: z.string(),
    externalReference: z.string(),
    status: z.enum(ORDER_STATUSES),
    amount,
    currency: z.string(),
    submittedAt: moment,
    completedAt: moment.nullable(),
    customerRef: z.string().nullable(),
    displayCurrency: z.string().nullable(),
    rate: z.number().nullable(),
    amountDisplay: amount.nullable(),
    partnerId: z.string(),
    partnerName: z.string().nullable(),
    environment: environmentName,
    parked: z.array(parkedWork),
  })
  .meta({ id: 'OrderRow' });

/** A page of every partner's orders. */
export const ordersPage = pageOfItems(orderRow);

const step = z
  .strictObject({
    occurredAt: moment,
    type: z.literal('SagaStep'),
    step: z.string(),
    outcome: z.string().meta({ description: 'Intent when it is begun; then what came of it.' }),
    details: z.record(z.string(), z.unknown()).nullable(),
  })
  .meta({ id: 'SagaEntry' });

const movement = z
  .strictObject({
    occurredAt: moment,
    type: z.literal('WalletTransaction'),
    step: z.string(),
    outcome: z.string(),
    details: ledgerLine,
  })
  .meta({ id: 'MoneyEntry' });

const delivery = z
  .strictObject({
    occurredAt: moment,
    type: z.literal('WebhookDelivery'),
    step: z.string(),
    outcome: z.string(),
    details: webhookDelivery,
  })
  .meta({ id: 'WebhookEntry' });

/** A scent order, of whose fields the partners' API has all. */
export const scentOrder = z
  .looseObject({
    orderGlobalId: z.string(),
    status: z.enum(ORDER_STATUSES),
    fulfillmentGroups: z.array(
      z.strictObject({ id: z.string(), status: z.enum(GROUP_STATUSES), deliveredAt: moment.nullable() }),
    ),
  })
  .meta({ id: 'ScentOrder', description: 'As its partner reads it.' });

/** What an operator can decide of an order. */
export const ORDER_DECISIONS = ['ResolveCompleted', 'ResolveFailed', 'Cancel', 'Reverse'] as const;

/** The entries of an order that other services keep. */
export const MAY_BE_MISSING = ['WalletTransaction', 'WebhookDelivery'] as const;

/** An order with all that happened to it. */
export const timelineResponse = z
  .strictObject({
    order: orderRow,
    decisions: z.array(z.enum(ORDER_DECISIONS)),
    scentOrder: scentOrder.optional(),
    request: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The values of its create, by the names of the partners’ API, but for its reference; amounts are decimal text.',
    }),
    entries: z.array(z.discriminatedUnion('type', [step, movement, delivery])),
    missing: z.array(z.enum(MAY_BE_MISSING)).optional().meta({
      description:
        'Only while finance or notifier cannot be reached: the types of entries that could not be read.',
    }),
  })
  .meta({ id: 'OrderTimeline' });

/** The order as its partner reads it; what a product adds is in the partners' API. */
export const decidedOrder = z
  .looseObject({ orderGlobalId: z.string(), status: z.enum(ORDER_STATUSES) })
  .meta({ id: 'DecidedOrder' });

/** Which order's checkout holds nothing any more. */
export const freedCheckout = z.strictObject({ orderGlobalId: z.string() }).meta({ id: 'FreedCheckout' });
