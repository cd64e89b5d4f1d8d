import { presentReturnRequest } from '@reseller/presenters';
import { z } from 'zod';
import { text, uuid } from '../../fields/request-fields';
import { exampleReturnRequest, returnRequest } from '../returns/return-request.resource';
import { defineRoute } from '../route';

const reason = 'The seal is broken.';

/** POST /api/v1/sandbox/return-requests/{id}/decline */
export const declineReturn = defineRoute({
  method: 'POST',
  path: '/api/v1/sandbox/return-requests/{id}/decline',
  tag: 'Sandbox',
  sandboxOnly: true,
  summary: 'Decline a return request',
  description: 'Frees the units that the request holds. decidedByUserId stays null: nobody of ours decided.',
  params: z.object({ id: uuid('One of your return requests.') }),
  body: z.strictObject({ reason: text('Why, as declineReason shows it.', { min: 1, max: 500 }) }),
  response: returnRequest,
  errors: ['NOT_FOUND_RETURN_REQUEST', 'CONFLICT_RETURN_REQUEST_DECIDED'],
  examples: {
    params: { id: exampleReturnRequest.id },
    body: { reason },
    response: {
      ...exampleReturnRequest,
      status: 'Declined',
      decidedAt: '2026-01-18T08:01:00.000Z',
      declineReason: reason,
    },
  },
  async handle({ params, body, call, clients }) {
    const request = { returnRequestId: params.id, reason: body.reason };
    return presentReturnRequest(
      (await clients.sandboxOrders.declineSandboxReturn(request, call)).returnRequest,
    );
  },
});
