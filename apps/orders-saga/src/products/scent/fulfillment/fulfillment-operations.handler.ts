import type { FulfillmentOperationsServiceService, ScentOrder } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import type { CallContext, RpcHandlers } from '@reseller/rpc';
import {
  approveReturnRequest,
  declineReturnRequest,
  type DecideReturnDeps,
} from '../returns/decide-return-request';
import { fromReturnStatus, toReturnRequest } from '../returns/return-request.mapper';
import { toScentOrder } from '../scent-order.mapper';
import type { OperatorCall } from '../../../operations/domain/decision';
import { cancelGroup, moveGroup, orderOfGroup } from './move-group';
import type { TaskEffectDeps } from './task-effects';

/** What FulfillmentOperationsService works with. */
export interface FulfillmentDeps extends DecideReturnDeps, Pick<TaskEffectDeps, 'orders' | 'scents'> {}

const MAX_REASON = 500;

/** FulfillmentOperationsService over its use cases. */
export function createFulfillmentOperationsHandlers(
  deps: FulfillmentDeps,
): RpcHandlers<typeof FulfillmentOperationsServiceService> {
  const { requests, tasks } = deps;
  const response = (orderId: string) => orderOfGroups(deps, orderId);
  return {
    async getOrderOfFulfillmentGroup({ fulfillmentGroupId }) {
      return response(await orderOfGroup(tasks, fulfillmentGroupId));
    },
    async getReturnRequest({ returnRequestId }) {
      const request = await requests.find(returnRequestId);
      if (!request) throw new AppError('NOT_FOUND_RETURN_REQUEST');
      return { returnRequest: toReturnRequest(request) };
    },
    async shipFulfillmentGroup({ fulfillmentGroupId: id }, call) {
      return response(await moveGroup(deps, id.toLowerCase(), 'Shipped', operatorOf(call)));
    },
    async deliverFulfillmentGroup({ fulfillmentGroupId: id }, call) {
      return response(await moveGroup(deps, id.toLowerCase(), 'Delivered', operatorOf(call)));
    },
    async cancelFulfillmentGroup({ fulfillmentGroupId: id }, call) {
      return response(await cancelGroup(deps, id.toLowerCase(), operatorOf(call)));
    },
    async listAllReturnRequests({ page, status }) {
      const list = await requests.listAll(fromReturnStatus(status), page);
      return { returnRequests: list.requests.map(toReturnRequest), page: list.page };
    },
    async approveReturnRequest({ returnRequestId }, call) {
      const request = await approveReturnRequest(deps, returnRequestId, operatorOf(call));
      return { returnRequest: toReturnRequest(request) };
    },
    async declineReturnRequest({ returnRequestId, reason }, call) {
      const operator = operatorOf(call);
      requireReason(reason);
      const request = await declineReturnRequest(deps, returnRequestId, reason, operator);
      return { returnRequest: toReturnRequest(request) };
    },
  };
}

/** The order of groups that were moved, as its message. */
export async function orderOfGroups(
  { orders, scents }: Pick<FulfillmentDeps, 'orders' | 'scents'>,
  orderId: string,
): Promise<{ order: ScentOrder }> {
  const order = await orders.findById(orderId);
  if (!order) throw new AppError('NOT_FOUND_FULFILLMENT_GROUP');
  return { order: toScentOrder(order, await scents.find(order.id)) };
}

/** Throws VALIDATION_FAILED for a text that cannot be the reason of a declined return. */
export function requireReason(reason: string): void {
  if (reason.length >= 1 && reason.length <= MAX_REASON) return;
  throw validationFailed([{ path: 'reason', message: `must be 1 to ${MAX_REASON} characters` }]);
}

function operatorOf({ operator, requestId }: CallContext): OperatorCall {
  if (operator) return { operator, requestId };
  throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the call names no operator') });
}
