import { ORDER_STATUSES, PRODUCT_TYPES } from '@reseller/presenters';
import { z } from 'zod';
import { amount, count, environmentName, moment } from './fields';

const hour = z
  .strictObject({
    hour: moment,
    productType: z.enum(PRODUCT_TYPES),
    status: z.enum(ORDER_STATUSES),
    count,
    amount,
  })
  .meta({
    id: 'HourOfOrders',
    description: 'The orders submitted in one hour that are of one product and status now.',
  });

const vendor = z
  .strictObject({
    name: z.string(),
    calls: count,
    successRate: z.number().min(0).max(1).nullable(),
    refusals: count,
    p50Ms: z.number().nullable(),
    p99Ms: z.number().nullable(),
    waitingOrders: count,
  })
  .meta({
    id: 'VendorHealth',
    description:
      'The calls of orders to one vendor: successRate is those that it responded to of all, null of none; waitingOrders is now.',
  });

/** An environment at a glance (spec §18.7). */
export const overviewResponse = z
  .strictObject({
    environment: environmentName,
    from: moment,
    to: moment,
    orders: z.array(hour),
    refusals: z.array(z.strictObject({ code: z.string(), count })),
    creates: z.strictObject({ count, p50Ms: z.number().nullable(), p99Ms: z.number().nullable() }),
    webhooks: z
      .strictObject({
        delivered: count,
        deadLettered: count,
        pending: count,
        successRate: z.number().min(0).max(1).nullable(),
      })
      .nullable(),
    vendors: z.array(vendor),
    waiting: z.strictObject({
      orders: count,
      returnRequests: count,
      approvals: count.nullable(),
      deadLetters: count.nullable(),
    }),
    missing: z
      .array(z.enum(['finance', 'orders-saga', 'scent-commerce', 'notifier']))
      .optional()
      .meta({
        description: 'Only while some cannot be reached: the services whose figures are null.',
      }),
  })
  .meta({ id: 'Overview' });
