import type { FulfillmentOperationsServiceService } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import { environmentNameOf, type CallContext, type RpcHandlers } from '@reseller/rpc';
import { approveReturnRequest, declineReturnRequest } from '../returns/decide-return-request';
import { fromReturnStatus, toReturnRequest } from '../returns/return-request.mapper';
import { fromGroupStatus } from '../scent-order.mapper';
import type { OperatorCall } from '../../../operations/domain/decision';
import { cancelGroup, moveGroup, orderOfGroup } from './move-group';
import type { OpenGroupsRepository } from './open-groups.repository';
import { orderOfGroups, requireReason, type FulfillmentDeps } from './order-of-groups';

/** What operators' fulfillment works with. */
export interface FulfillmentOperationsDeps extends FulfillmentDeps {
  readonly openGroups: OpenGroupsRepository;
}

/** FulfillmentOperationsService over its use cases. */
export function createFulfillmentOperationsHandlers(
  deps: FulfillmentOperationsDeps,
): RpcHandlers<typeof FulfillmentOperationsServiceService> {
  const { openGroups, requests, tasks } = deps;
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
    async listOpenFulfillmentGroups({ page, status, environment }) {
      const filter = { status: fromGroupStatus(status), environment: environmentNameOf(environment) };
      return openGroups.list(filter, page);
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
    async listAllReturnRequests({ page, status, oldestFirst }) {
      const list = await requests.listAll(fromReturnStatus(status), page, oldestFirst);
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

function operatorOf({ operator, requestId }: CallContext): OperatorCall {
  if (operator) return { operator, requestId };
  throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the call names no operator') });
}
