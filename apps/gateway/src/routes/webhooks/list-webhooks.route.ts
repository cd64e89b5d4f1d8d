import { z } from 'zod';
import { presentPage, presentWebhook } from '@reseller/presenters';
import { pageOf } from '../../fields/response-fields';
import { pageQuery } from '../../fields/request-fields';
import { webhookSubscription, exampleWebhook } from './webhook.resource';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';

/** GET /api/v1/webhooks */
export const listWebhooks = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks',
  tag: 'Webhooks',
  summary: 'List subscriptions',
  description: 'Newest first, active and paused.',
  query: z.object({ ...pageQuery }),
  response: pageOf(webhookSubscription),
  errors: [],
  examples: { response: { items: [exampleWebhook], pagination: examplePagination } },
  async handle({ query: { page, pageSize }, call, clients }) {
    const list = await clients.webhooks.listWebhooks({ page: { page, pageSize } }, call);
    return presentPage(list.subscriptions, list.page, presentWebhook);
  },
});
