import type { OperatorDecision as OperatorDecisionMessage } from '@reseller/contracts';
import { requireOperator, type CallContext, type RequestCheck } from '@reseller/rpc';
import type { OperatorDecision } from './domain/operator-decision';

const LONGEST_NAME = 500;

/** The decision that a request of orders-saga says its movement follows from. */
export function decisionOf(
  check: RequestCheck,
  message: OperatorDecisionMessage | undefined,
): OperatorDecision | undefined {
  if (!message) return undefined;
  const { operator, requestId, approvedBy } = message;
  check.text('decidedBy.operator', operator, LONGEST_NAME);
  for (const [field, value] of Object.entries({ requestId, approvedBy }))
    if (value !== undefined) check.text(`decidedBy.${field}`, value, LONGEST_NAME);
  return { operator, requestId, approvedBy };
}

/** The decision that a call of the backoffice is; the operator is the verified call's, never the request's. */
export const decisionOfCall = (call: CallContext): OperatorDecision => ({
  operator: requireOperator(call),
  requestId: call.requestId,
});
