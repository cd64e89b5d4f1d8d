import { AppError } from '@reseller/errors';
import { returnRequestEvent } from '../fulfillment/fulfillment-events';
import type { HeldOrder } from '../fulfillment/held-order';
import type { OperatorCall } from '../../../operations/domain/decision';
import type { MoveGroupDeps } from '../fulfillment/move-group';
import { operatorUserId, type ReturnRequest } from './domain/return-request';
import { readReturnRequest, type ReturnRequestRepository } from './return-request.repository';

/** What deciding a return request works with. */
export interface DecideReturnDeps extends MoveGroupDeps {
  readonly requests: ReturnRequestRepository;
}

/**
 * Refunds the units of a Pending request and answers it Approved. Only the call that recorded or carried the approval out
 * succeeds; to others, and beside a decline, it is CONFLICT_RETURN_REQUEST_DECIDED (spec §8.2).
 */
export async function approveReturnRequest(
  deps: DecideReturnDeps,
  requestId: string,
  call: OperatorCall,
): Promise<ReturnRequest> {
  const { id, orderId } = await find(deps, requestId);
  deps.passCrashPoint('task.record.before');
  const set = await deps.tasks.hold(orderId, async (held) => {
    const known = await held.findTask('approve-return', id);
    if (known?.state === 'Open') return { task: known, isNew: false };
    await requirePending(held, id);
    return { task: await held.setTask('approve-return', id, call), isNew: true };
  });
  deps.passCrashPoint('task.record.after');
  if (!set) throw new AppError('NOT_FOUND_RETURN_REQUEST');
  if (!(await deps.runner.complete(set, call.requestId))) {
    throw new AppError('CONFLICT_RETURN_REQUEST_DECIDED');
  }
  return find(deps, id);
}

/** Declines a Pending request, which frees the units it claimed; else CONFLICT_RETURN_REQUEST_DECIDED. */
export async function declineReturnRequest(
  deps: DecideReturnDeps,
  requestId: string,
  reason: string,
  { operator }: OperatorCall,
): Promise<ReturnRequest> {
  const { id, orderId } = await find(deps, requestId);
  const declined = await deps.tasks.hold(orderId, async (held) => {
    await requirePending(held, id);
    if (await held.findTask('approve-return', id)) throw new AppError('CONFLICT_RETURN_REQUEST_DECIDED');
    await held.decideReturn(id, { status: 'Declined', byUserId: operatorUserId(operator), reason });
    const noted = { operator, subjectId: id, reason };
    await held.note('operator.decline-return', noted, { phase: 'result', outcome: 'Done' });
    const request = await readReturnRequest(held.db, id);
    if (request) await held.emit(returnRequestEvent(held.order, held.order.status, request));
    return request;
  });
  if (!declined) throw new AppError('NOT_FOUND_RETURN_REQUEST');
  return declined;
}

async function requirePending(held: HeldOrder, requestId: string): Promise<void> {
  const request = await readReturnRequest(held.db, requestId);
  if (request?.status !== 'Pending') throw new AppError('CONFLICT_RETURN_REQUEST_DECIDED');
}

async function find({ requests }: DecideReturnDeps, id: string): Promise<ReturnRequest> {
  const request = await requests.find(id);
  if (!request) throw new AppError('NOT_FOUND_RETURN_REQUEST');
  return request;
}
