import { z } from 'zod';
import { defineRoute } from '../route';
import {
  exampleReconciliation,
  presentReconciliation,
  reconciliation,
  reconciliationPath,
} from './reconciliation.resource';

/** GET /api/v1/reconciliations/{id} */
export const getReconciliation = defineRoute({
  method: 'GET',
  path: '/api/v1/reconciliations/{id}',
  tag: 'Reconciliation',
  summary: 'Read a reconciliation',
  description: 'What came of it, for 30 days.',
  params: z.object(reconciliationPath),
  response: reconciliation,
  errors: ['NOT_FOUND_RECONCILIATION'],
  examples: { params: { id: exampleReconciliation.reconciliationId }, response: exampleReconciliation },
  async handle({ params, call, clients }) {
    const request = { reconciliationId: params.id };
    return presentReconciliation(
      (await clients.reconciliations.getPartnerReconciliation(request, call)).reconciliation,
    );
  },
});
