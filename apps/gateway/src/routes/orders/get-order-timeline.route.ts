import { z } from 'zod';
import { text } from '../../fields/request-fields';
import { moment } from '../../fields/response-fields';
import { exampleTopupOrder } from '../../products/topup';
import { defineRoute } from '../route';
import { presentTimeline, TIMELINE_KINDS } from './timeline.presenter';

const timelineItem = z
  .strictObject({
    at: moment('When it happened.'),
    kind: z.enum(TIMELINE_KINDS),
    title: z.string().meta({ description: 'For people.' }),
    status: z.string().meta({
      description:
        'Status: the order’s or group’s new status. Money: Held, Released, Debit or Credit. Webhook: Delivered, or the error summary.',
    }),
    amount: z
      .number()
      .nullable()
      .meta({
        description:
          'Of Money, in SAR, negative where less is available afterwards; else null. A hold is released by the charge that ' +
          'follows it too, so the amounts add up to what the order cost.',
      }),
    referenceId: z.string().nullable().meta({
      description:
        'The fulfillment group, the transactionId as text, or the webhook delivery; null for the order itself and for holds.',
    }),
  })
  .meta({ id: 'TimelineItem' });

const { submittedAt, completedAt } = exampleTopupOrder;
const exampleItem = { amount: null, referenceId: null };

/** GET /api/v1/orders/{orderGlobalId}/timeline */
export const getOrderTimeline = defineRoute({
  method: 'GET',
  path: '/api/v1/orders/{orderGlobalId}/timeline',
  tag: 'Orders',
  summary: 'Read what happened to an order',
  description:
    'Its statuses, its money and the attempts of its webhooks in order of time, for an order of any product. Attempts are kept ' +
    'for 30 days.',
  params: z.object({ orderGlobalId: text('The order’s global id.', { min: 1, max: 128 }) }),
  response: z.strictObject({ orderGlobalId: z.string(), items: z.array(timelineItem) }),
  errors: ['NOT_FOUND_ORDER'],
  examples: {
    params: { orderGlobalId: exampleTopupOrder.orderGlobalId },
    response: {
      orderGlobalId: exampleTopupOrder.orderGlobalId,
      items: [
        { ...exampleItem, at: submittedAt, kind: 'Status', title: 'Order placed', status: 'Pending' },
        {
          ...exampleItem,
          at: submittedAt,
          kind: 'Money',
          title: 'Amount held',
          status: 'Held',
          amount: -25.5,
        },
        { ...exampleItem, at: completedAt, kind: 'Status', title: 'Order completed', status: 'Completed' },
      ],
    },
  },
  async handle({ params: { orderGlobalId }, call, clients }) {
    const { changes } = await clients.orders.getOrderHistory({ orderGlobalId }, call);
    const [money, { deliveries }] = await Promise.all([
      clients.wallets.getOrderMoney({ orderGlobalId }, call),
      clients.webhooks.listWebhookDeliveriesOfOrder({ orderGlobalId }, call),
    ]);
    return { orderGlobalId, items: presentTimeline({ changes, money, deliveries }) };
  },
});
