import {
  OrderStatus,
  type Order as OrderMessage,
  type OrderOperationsServiceService,
} from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import { environmentNameOf, type CallContext, type RpcHandlers } from '@reseller/rpc';
import { validate as isUuid } from 'uuid';
import { fromStatus, toSummary } from '../order/order.mapper';
import { productOf } from '../products';
import { decideOrder, type DecideOrderDeps, type Decision } from './decide-order';
import type { TimelineRepository } from './timeline.repository';

/** OrderOperationsService over its use cases. */
export function createOrderOperationsHandlers(
  deps: DecideOrderDeps & { timeline: TimelineRepository },
): RpcHandlers<typeof OrderOperationsServiceService> {
  const { orders, timeline } = deps;
  const decide = async (
    decision: Omit<Decision, 'operator' | 'requestId'>,
    call: CallContext,
  ): Promise<{ order: OrderMessage }> => {
    const operator = requireOperator(call);
    const order = await decideOrder(deps, { ...decision, operator, requestId: call.requestId });
    return { order: await productOf(order.product).toMessage(deps, order) };
  };
  return {
    async listAllOrders({ page, status, partnerId, environment }) {
      // A text that is no id at all is nobody's.
      if (partnerId !== undefined && !isUuid(partnerId)) return { orders: [], page: toPageInfo(page, 0) };
      const filter = { partnerId, status: fromStatus(status), environment: environmentNameOf(environment) };
      const list = await orders.list(filter, page);
      return {
        orders: list.orders.map((order) => toSummary(productOf(order.product).type, order)),
        page: list.page,
      };
    },
    async getOrderTimeline({ orderGlobalId }) {
      const order = await orders.findByGlobalId(orderGlobalId);
      if (!order) throw new AppError('NOT_FOUND_ORDER');
      const product = productOf(order.product);
      return {
        summary: toSummary(product.type, order),
        entries: await timeline.read(order.id),
        scentOrder: undefined,
        ...(await product.toTimeline?.(deps, order)),
      };
    },
    async resolveOrder(request, call) {
      const { orderGlobalId, notes, outcome } = request;
      requireOperator(call);
      if (outcome === OrderStatus.COMPLETED) {
        return decide({ kind: 'resolve-completed', orderGlobalId, notes, resolution: request }, call);
      }
      if (outcome === OrderStatus.FAILED)
        return decide({ kind: 'resolve-failed', orderGlobalId, notes }, call);
      throw validationFailed([{ path: 'outcome', message: 'must be Completed or Failed' }]);
    },
    cancelOrder: ({ orderGlobalId, notes }, call) => decide({ kind: 'cancel', orderGlobalId, notes }, call),
    reverseOrder: ({ orderGlobalId, notes }, call) => decide({ kind: 'reverse', orderGlobalId, notes }, call),
  };
}

function requireOperator(call: CallContext): string {
  if (call.operator) return call.operator;
  throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the call names no operator') });
}
