import { AppError } from '@reseller/errors';
import { returnRequestEvent } from '../fulfillment/fulfillment-events';
import type { HeldOrder } from '../fulfillment/held-order';
import type { OrderTaskRepository } from '../fulfillment/order-task.repository';
import type { OrderRepository } from '../../../order/order.repository';
import type { PartnerScope } from '@reseller/rpc';
import type { AskedReturn, ReturnRequest } from './domain/return-request';
import { readReturnRequest } from './return-request.repository';

/** What asking for a return works with. */
export interface CreateReturnRequestDeps {
  readonly orders: OrderRepository;
  readonly tasks: OrderTaskRepository;
  /** How long after its delivery a group may be returned, in milliseconds. */
  readonly returnWindowMs: number;
}

/** Units of one group that a partner wants to give back. */
export interface AskReturn {
  readonly orderId: string;
  readonly groupId: string;
  readonly lines: readonly AskedReturn[];
}

/**
 * Asks for units to be taken back. The rules are looked at in the order of spec §8.1, under the order's lock; that
 * the units are there to be claimed is for the database to say.
 */
export async function createReturnRequest(
  { orders, tasks, returnWindowMs }: CreateReturnRequestDeps,
  scope: PartnerScope,
  { orderId, groupId, lines }: AskReturn,
): Promise<ReturnRequest> {
  const own = await orders.findOwn(scope, 'Scent', orderId);
  const made =
    own &&
    (await tasks.hold(own.id, async (held) => {
      await requireReturnable(held, groupId, lines, returnWindowMs);
      const id = await held.askReturn(groupId, lines);
      const request = await readReturnRequest(held.db, id);
      if (request) await held.emit(returnRequestEvent(held.order, held.order.status, request));
      await held.note('return.request', { subjectId: id }, { phase: 'result', outcome: 'Done' });
      return request;
    }));
  if (!made) throw new AppError('NOT_FOUND_SCENT_ORDER');
  return made;
}

async function requireReturnable(
  held: HeldOrder,
  groupId: string,
  asked: readonly AskedReturn[],
  windowMs: number,
): Promise<void> {
  const group = held.scent.groups.find(({ id }) => id === groupId);
  const lines = held.scent.lines.filter((line) => line.groupId === groupId);
  const areOfGroup = asked.every(({ orderLineId }) => lines.some(({ id }) => id === orderLineId));
  if (!group || !areOfGroup) throw new AppError('NOT_FOUND_SCENT_ORDER');
  if (group.status !== 'Delivered') throw new AppError('BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED');
  if (!(await held.wasDeliveredWithin(groupId, windowMs))) {
    throw new AppError('BUSINESS_RETURN_REQUEST_WINDOW_CLOSED');
  }
}
