import { AppError } from '@reseller/errors';
import { returnRequestEvent } from '../fulfillment/fulfillment-events';
import type { PartnerScope } from '@reseller/rpc';
import type { Order } from '../../../order/domain/order';
import type { OrderRepository } from '../../../order/order.repository';
import type { LockedOrder } from '../fulfillment/locked-order';
import type { OrderTaskRepository } from '../fulfillment/order-task.repository';
import type { RequestedUnits, ReturnRequest } from './domain/return-request';

/** What requesting a return works with. */
export interface CreateReturnRequestDeps {
  readonly tasks: Pick<OrderTaskRepository, 'withLockedOrder'>;
  /** How long after its delivery a group may be returned, in milliseconds. */
  readonly returnWindowMs: number;
}

/** What a partner's scent orders are found in. */
export interface ScentOrders {
  readonly orders: OrderRepository;
}

/** The scope's own scent order; NOT_FOUND_SCENT_ORDER for any other, whoever's it is. */
export async function getScentOrder(
  { orders }: ScentOrders,
  scope: PartnerScope,
  orderId: string,
): Promise<Order> {
  const order = await orders.findOwn(scope, 'Scent', orderId);
  if (!order) throw new AppError('NOT_FOUND_SCENT_ORDER');
  return order;
}

/** Units of one group that are to be given back. */
interface ReturnedUnits {
  readonly groupId: string;
  readonly lines: readonly RequestedUnits[];
}

/**
 * Requests that units of an order are taken back. The rules are checked in the order of spec §8.1, under the order's lock; that
 * the units are there to be claimed is for the database to say.
 */
export async function createReturnRequest(
  { tasks, returnWindowMs }: CreateReturnRequestDeps,
  orderId: string,
  { groupId, lines }: ReturnedUnits,
): Promise<ReturnRequest> {
  const made = await tasks.withLockedOrder(orderId, async (locked) => {
    await requireReturnable(locked, groupId, lines, returnWindowMs);
    const request = await locked.requestReturn(groupId, lines);
    await locked.emit(returnRequestEvent(locked.order, locked.order.status, request));
    await locked.note('return.request', { subjectId: request.id }, { phase: 'result', outcome: 'Done' });
    return request;
  });
  if (!made) throw new AppError('NOT_FOUND_SCENT_ORDER');
  return made;
}

async function requireReturnable(
  locked: LockedOrder,
  groupId: string,
  requested: readonly RequestedUnits[],
  windowMs: number,
): Promise<void> {
  const group = locked.scent.groups.find(({ id }) => id === groupId);
  const lines = locked.scent.lines.filter((line) => line.groupId === groupId);
  const areOfGroup = requested.every(({ orderLineId }) => lines.some(({ id }) => id === orderLineId));
  if (!group || !areOfGroup) throw new AppError('NOT_FOUND_SCENT_ORDER');
  if (group.status !== 'Delivered') throw new AppError('BUSINESS_RETURN_REQUEST_GROUP_NOT_DELIVERED');
  if (!(await locked.wasDeliveredWithin(groupId, windowMs))) {
    throw new AppError('BUSINESS_RETURN_REQUEST_WINDOW_CLOSED');
  }
}
