import { presentReturnRequest } from '@reseller/presenters';
import { z } from 'zod';
import { noBody, uuid } from '../../fields/request-fields';
import { exampleReturnRequest, returnRequest } from '../returns/return-request.resource';
import { defineRoute } from '../route';

/** POST /api/v1/sandbox/return-requests/{id}/approve */
export const approveReturn = defineRoute({
  method: 'POST',
  path: '/api/v1/sandbox/return-requests/{id}/approve',
  tag: 'Sandbox',
  sandboxOnly: true,
  summary: 'Approve a return request',
  description:
    'Refunds the units and claws their commission back. decidedByUserId stays null: nobody of ours decided.',
  params: z.object({ id: uuid('One of your return requests.') }),
  body: noBody,
  response: returnRequest,
  errors: ['NOT_FOUND_RETURN_REQUEST', 'CONFLICT_RETURN_REQUEST_DECIDED', 'BUSINESS_INSUFFICIENT_BALANCE'],
  examples: {
    params: { id: exampleReturnRequest.id },
    body: {},
    response: { ...exampleReturnRequest, status: 'Approved', decidedAt: '2026-01-18T08:01:00.000Z' },
  },
  async handle({ params, call, clients }) {
    const request = { returnRequestId: params.id };
    return presentReturnRequest(
      (await clients.sandboxOrders.approveSandboxReturn(request, call)).returnRequest,
    );
  },
});
