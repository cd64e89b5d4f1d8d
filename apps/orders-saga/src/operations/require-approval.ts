import { needsApproval } from '@reseller/approvals';
import { AppError } from '@reseller/errors';
import type { Order } from '../order/domain/order';
import type { SagaState } from '../saga/saga.repository';
import { stepOfDecision, type DecisionKind, type DecisionRule } from './domain/decision';
import { conflict, type DecideOrderDeps, type Decision } from './take-decision';

/** Whether a second operator has to approve a decision: a reversal in live that would move more than the limit (spec §18.3). */
export function needsSecondOperator(
  { approvalSettings }: Pick<DecideOrderDeps, 'approvalSettings'>,
  { environment, amount }: Order,
  kind: DecisionKind,
): boolean {
  return kind === 'reverse' && needsApproval(approvalSettings, environment, amount);
}

/**
 * Throws CONFLICT_APPROVAL_REQUIRED with the approval of the order's reversal, of which there is one at a time, whoever requested
 * it; CONFLICT_ORDER_STATE when it could not be reversed anyway. Returns when the order has changed since it was read.
 */
export async function requireApproval(
  { sagas, approvals, passCrashPoint }: DecideOrderDeps,
  rule: DecisionRule,
  { order, journal }: SagaState,
  decision: Decision,
): Promise<void> {
  if (!stepOfDecision(decision.kind, rule, order.status, journal)) throw conflict(order, rule);
  const operationKey = `reverse:${order.globalId}`;
  const approval = await sagas.whileUndecided(order, async (tx) => {
    const pending = await approvals.findPending(tx, operationKey);
    if (pending) return pending;
    const { operator: name, account = name, requestId, notes } = decision;
    const reversal = {
      action: 'order.reverse' as const,
      partnerId: order.partnerId,
      amount: order.amount,
      subject: order.globalId,
      notes,
      operationKey,
      operation: {},
    };
    return approvals.insert(tx, reversal, { name, account, requestId });
  });
  if (!approval) return;
  await passCrashPoint('approval.request.after');
  throw new AppError('CONFLICT_APPROVAL_REQUIRED', { approvalId: approval.id });
}
