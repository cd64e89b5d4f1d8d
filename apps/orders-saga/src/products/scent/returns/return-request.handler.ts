import { ReturnRequestServiceService, type RequestedReturnLine } from '@reseller/contracts';
import type { KeyedCalls } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import { createReturnRequest, type CreateReturnRequestDeps } from './create-return-request';
import type { RequestedUnits } from './domain/return-request';
import { scent } from '../scent.product';
import { fromReason, toReturnRequest } from './return-request.mapper';
import type { ReturnRequestRepository } from './return-request.repository';

/** ReturnRequestService over its use cases. */
export function createReturnRequestHandlers(
  deps: CreateReturnRequestDeps & {
    requests: ReturnRequestRepository;
    keyedReturns: KeyedCalls<CreateReturnRequestDeps>;
  },
): RpcHandlers<typeof ReturnRequestServiceService> {
  return {
    async createReturnRequest({ scentOrderId, fulfillmentGroupId, lines }, call) {
      const requested = lines.map(toRequestedLine);
      if (new Set(requested.map(({ orderLineId }) => orderLineId)).size < requested.length)
        throw validationFailed([{ path: 'lines', message: 'must name each order line once' }]);
      const request = {
        orderId: scentOrderId,
        groupId: fulfillmentGroupId.toLowerCase(),
        lines: requested,
      };
      const scope = partnerScopeOf(call);
      return deps.keyedReturns.run(call, ReturnRequestServiceService.createReturnRequest, async (own) => ({
        returnRequest: toReturnRequest(await createReturnRequest(own, scope, request)),
      }));
    },
    async listReturnRequests({ scentOrderId, page }, call) {
      const order = await deps.orders.findOwn(partnerScopeOf(call), scent.name, scentOrderId);
      if (!order) throw new AppError('NOT_FOUND_SCENT_ORDER');
      const list = await deps.requests.listOfOrder(order.id, page);
      return { returnRequests: list.requests.map(toReturnRequest), page: list.page };
    },
  };
}

function toRequestedLine(
  { scentOrderLineId, quantity, reason }: RequestedReturnLine,
  index: number,
): RequestedUnits {
  const name = fromReason(reason);
  const path = `lines.${index}`;
  if (!name) throw validationFailed([{ path: `${path}.reasonCode`, message: 'must be a known reason' }]);
  if (quantity < 1) throw validationFailed([{ path: `${path}.quantity`, message: 'must be at least 1' }]);
  return { orderLineId: scentOrderLineId.toLowerCase(), quantity, reason: name };
}
