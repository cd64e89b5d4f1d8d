import { AppError } from '@reseller/errors';
import { returnRequestEvent } from '../fulfillment/fulfillment-events';
import type { LockedOrder } from '../fulfillment/locked-order';
import { requireReach, type OperatorCall } from '../../../operations/domain/decision';
import type { MoveGroupDeps } from '../fulfillment/move-group';
import {
  operatorUserId,
  RETURN_MOVES,
  type ReturnRequest,
  type ReturnStatusName,
} from './domain/return-request';
import type { ReturnRequestRepository } from './return-request.repository';

/** What deciding a return request works with. */
export interface DecideReturnDeps extends MoveGroupDeps {
  readonly requests: ReturnRequestRepository;
}

/**
 * Refunds the units of a Pending request and returns it Approved. Only the call that recorded or carried the approval out
 * succeeds; to others, and beside a decline, it is CONFLICT_RETURN_REQUEST_DECIDED (spec §8.2).
 */
export async function approveReturnRequest(
  deps: DecideReturnDeps,
  requestId: string,
  call: OperatorCall,
): Promise<ReturnRequest> {
  const { id, orderId } = await find(deps, requestId, call);
  await deps.passCrashPoint('task.record.before');
  const set = await deps.tasks.withLockedOrder(orderId, async (locked) => {
    const known = await locked.findTask('approve-return', id);
    if (known?.state === 'Open') return { task: known, isNew: false };
    await requireMove(locked, id, 'Approved');
    return { task: await locked.setTask('approve-return', id, call), isNew: true };
  });
  await deps.passCrashPoint('task.record.after');
  if (!set) throw new AppError('NOT_FOUND_RETURN_REQUEST');
  if (!(await deps.runner.complete(set, call.requestId))) {
    throw new AppError('CONFLICT_RETURN_REQUEST_DECIDED');
  }
  return find(deps, id, call);
}

/** Declines a Pending request, which frees the units it claimed; else CONFLICT_RETURN_REQUEST_DECIDED. */
export async function declineReturnRequest(
  deps: DecideReturnDeps,
  requestId: string,
  reason: string,
  call: OperatorCall,
): Promise<ReturnRequest> {
  const { operator, partner } = call;
  const request = await find(deps, requestId, call);
  const { id, orderId } = request;
  const declined = await deps.tasks.withLockedOrder(orderId, async (locked) => {
    await requireMove(locked, id, 'Declined');
    if (await locked.findTask('approve-return', id)) throw new AppError('CONFLICT_RETURN_REQUEST_DECIDED');
    const decidedByUserId = partner ? null : operatorUserId(operator);
    const decision = { status: 'Declined' as const, decidedByUserId };
    const decided = await locked.decideReturn(request, { ...decision, declineReason: reason });
    const noted = { operator, subjectId: id, reason };
    await locked.note('operator.decline-return', noted, { phase: 'result', outcome: 'Done' });
    await locked.emit(returnRequestEvent(locked.order, locked.order.status, decided));
    return decided;
  });
  if (!declined) throw new AppError('NOT_FOUND_RETURN_REQUEST');
  return declined;
}

async function requireMove(locked: LockedOrder, requestId: string, to: ReturnStatusName): Promise<void> {
  const status = await locked.returnStatus(requestId);
  if (!status || !RETURN_MOVES[status].includes(to)) throw new AppError('CONFLICT_RETURN_REQUEST_DECIDED');
}

async function find({ requests }: DecideReturnDeps, id: string, call: OperatorCall): Promise<ReturnRequest> {
  const request = await requests.find(id);
  if (!request) throw new AppError('NOT_FOUND_RETURN_REQUEST');
  requireReach(call, request, 'NOT_FOUND_RETURN_REQUEST');
  return request;
}
