import { z } from 'zod';
import { presentScent } from './catalog.presenter';
import { uuid } from '../../fields/request-fields';
import { scent } from './catalog.schema';
import { exampleScent } from './examples';
import { defineRoute } from '../route';

/** GET /api/v1/scent/scents/{id} */
export const getScent = defineRoute({
  method: 'GET',
  path: '/api/v1/scent/scents/{id}',
  tag: 'Scent catalog',
  summary: 'Read a scent',
  description: 'One scent with its variants on sale, priced for you.',
  params: z.object({ id: uuid('The scent’s id.') }),
  response: scent,
  errors: ['NOT_FOUND_SCENT'],
  examples: { params: { id: exampleScent.id }, response: exampleScent },
  async handle({ params, call, clients }) {
    const reply = await clients.catalog.getScent({ scentId: params.id }, call);
    return presentScent(reply.scent, reply.displayRate);
  },
});
