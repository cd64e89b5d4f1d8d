import { presentPage } from '@reseller/presenters';
import { z } from 'zod';
import { pageQuery } from '../../fields/request-fields';
import { pageOf } from '../../fields/response-fields';
import { examplePagination } from '../examples';
import { defineRoute } from '../route';
import {
  difference,
  DIFFERENCE_KINDS,
  exampleDifference,
  exampleReconciliation,
  kindFilter,
  presentDifference,
  reconciliationPath,
} from './reconciliation.resource';

/** GET /api/v1/reconciliations/{id}/differences */
export const listDifferences = defineRoute({
  method: 'GET',
  path: '/api/v1/reconciliations/{id}/differences',
  tag: 'Reconciliation',
  summary: 'List the differences of a reconciliation',
  description:
    'By kind (missingHere, missingThere, amountDiffers, statusDiffers), then by externalReference. A row that differs in amount and status is two of them.',
  params: z.object(reconciliationPath),
  query: z.object({
    ...pageQuery,
    kind: z.enum(DIFFERENCE_KINDS).optional().meta({ description: 'Only differences of this kind.' }),
  }),
  response: pageOf(difference),
  errors: ['NOT_FOUND_RECONCILIATION'],
  examples: {
    params: { id: exampleReconciliation.reconciliationId },
    query: {},
    response: { items: [exampleDifference], pagination: examplePagination },
  },
  async handle({ params, query: { page, pageSize, kind }, call, clients }) {
    const request = { reconciliationId: params.id, kind: kindFilter(kind), page: { page, pageSize } };
    const list = await clients.reconciliations.listReconciliationDifferences(request, call);
    return presentPage(list.differences, list.page, presentDifference);
  },
});
