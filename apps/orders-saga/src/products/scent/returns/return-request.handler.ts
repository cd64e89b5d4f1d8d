import { ReturnRequestServiceService, type RequestedReturnLine } from '@reseller/contracts';
import type { KeyedCalls } from '@reseller/database';
import { validationFailed } from '@reseller/errors';
import { partnerScopeOf, type RpcHandlers } from '@reseller/rpc';
import type { Order } from '../../../order/domain/order';
import {
  createReturnRequest,
  getScentOrder,
  type CreateReturnRequestDeps,
  type ScentOrders,
} from './create-return-request';
import type { RequestedUnits } from './domain/return-request';
import { fromReason, toReturnRequest } from './return-request.mapper';
import type { ReturnRequestRepository } from './return-request.repository';

/** What partners' returns work with. */
export interface ReturnRequestDeps extends ScentOrders {
  requests: ReturnRequestRepository;
  keyedReturns: KeyedCalls<CreateReturnRequestDeps>;
}

/** ReturnRequestService over its use cases. */
export function createReturnRequestHandlers(
  deps: ReturnRequestDeps,
): RpcHandlers<typeof ReturnRequestServiceService> {
  return {
    async createReturnRequest({ scentOrderId, fulfillmentGroupId, lines }, call) {
      const requested = lines.map(toRequestedLine);
      if (new Set(requested.map(({ orderLineId }) => orderLineId)).size < requested.length)
        throw validationFailed([{ path: 'lines', message: 'must name each order line once' }]);
      const request = { groupId: fulfillmentGroupId.toLowerCase(), lines: requested };
      return deps.keyedReturns.run(
        call,
        ReturnRequestServiceService.createReturnRequest,
        async (own, { id }: Order) => ({
          returnRequest: toReturnRequest(await createReturnRequest(own, id, request)),
        }),
        () => getScentOrder(deps, partnerScopeOf(call), scentOrderId),
      );
    },
    async listReturnRequests({ scentOrderId, page }, call) {
      const { id } = await getScentOrder(deps, partnerScopeOf(call), scentOrderId);
      const list = await deps.requests.listOfOrder(id, page);
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
