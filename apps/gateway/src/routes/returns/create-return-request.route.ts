import { presentReturnRequest, RETURN_REASONS, returnReasonOf } from '@reseller/presenters';
import { z } from 'zod';
import { eachOnce, positiveInteger, uuid } from '../../fields/request-fields';
import { defineRoute } from '../route';
import { exampleReturnRequest, returnRequest } from './return-request.resource';

type Reason = (typeof RETURN_REASONS)[number];
const isReason = (text: string): text is Reason => (RETURN_REASONS as readonly string[]).includes(text);

// Text that is no reason has a code of its own; no text, or none in it, is an ordinary fault (spec §8.1).
const reasonCode = z
  .string()
  .min(1, { error: 'must not be empty', abort: true })
  .refine(isReason, {
    error: `must be one of ${RETURN_REASONS.join(', ')}`,
    params: { errorCode: 'VALIDATION_INVALID_REASON_CODE' },
  })
  .transform((text) => text as Reason)
  .meta({ description: `One of ${RETURN_REASONS.join(', ')}.`, example: 'Damaged' });

const line = z.strictObject({
  scentOrderLineId: uuid('A line of the group.'),
  quantity: positiveInteger('How many units of it come back.'),
  reasonCode,
});

const lines = eachOnce(
  z.array(line).min(1, 'must have at least one line').max(100, 'must have at most 100 lines'),
  'is named twice; name each line once',
  'scentOrderLineId',
);

/** POST /api/v1/scent/orders/{id}/return-request */
export const createReturnRequest = defineRoute({
  method: 'POST',
  path: '/api/v1/scent/orders/{id}/return-request',
  tag: 'Returns',
  idempotencyKey: true,
  summary: 'Ask for units to be taken back',
  description:
    'Up to 14 days after a fulfillment group was delivered. No money moves until we have looked at the request: when it ' +
    'is approved, the units’ price and VAT are refunded and their commission is clawed back. A request cannot be ' +
    'withdrawn. With an Idempotency-Key it is safe to repeat.',
  params: z.object({ id: uuid('The scent order’s id.') }),
  body: z.strictObject({ fulfillmentGroupId: uuid('A delivered group of the order.'), lines }),
  response: returnRequest,
  links: { approveReturn: { id: 'id' }, declineReturn: { id: 'id' } },
  errors: [
    'VALIDATION_INVALID_REASON_CODE',
    'NOT_FOUND_SCENT_ORDER',
    'BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED',
    'BUSINESS_RETURN_REQUEST_WINDOW_CLOSED',
    'BUSINESS_RETURN_REQUEST_QUANTITY_EXCEEDED',
  ],
  examples: {
    params: { id: exampleReturnRequest.scentOrderId },
    body: {
      fulfillmentGroupId: exampleReturnRequest.fulfillmentGroupId,
      lines: exampleReturnRequest.lines.map(({ scentOrderLineId, quantity }) => ({
        scentOrderLineId,
        quantity,
        reasonCode: 'Damaged',
      })),
    },
    response: exampleReturnRequest,
  },
  async handle({ params, body, call, clients }) {
    const request = {
      scentOrderId: params.id,
      fulfillmentGroupId: body.fulfillmentGroupId,
      lines: body.lines.map((one) => ({
        scentOrderLineId: one.scentOrderLineId,
        quantity: one.quantity,
        reason: returnReasonOf(one.reasonCode),
      })),
    };
    return presentReturnRequest(
      (await clients.returnRequests.createReturnRequest(request, call)).returnRequest,
    );
  },
});
