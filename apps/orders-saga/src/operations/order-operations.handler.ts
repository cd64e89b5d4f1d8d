import {
  OrderStatus,
  type Order as OrderMessage,
  type OrderOperationsServiceService,
  type ResolveOrderRequest,
} from '@reseller/contracts';
import { toPageInfo } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import type { CallContext, RpcHandlers } from '@reseller/rpc';
import { fromStatus, toOrderMessage, toSummary } from '../order/order.mapper';
import type { OrderRepository } from '../order/order.repository';
import { fromEnvironment } from '../order/order-scope';
import type { EsimActivation, Order } from '../order/domain/order';
import { isUuid } from '../order/domain/order-id';
import { cancelOpenGroups, type MoveGroupParts } from '../products/scent/fulfillment/move-group';
import { decideOrder, type DecideOrderParts, type Decision } from './decide-order';
import type { DecisionKind } from './domain/decision';
import { toScentOrder } from '../products/scent/scent-order.mapper';
import type { ScentOrderRepository } from '../products/scent/scent-order.repository';
import type { TimelineRepository } from './timeline.repository';

/** OrderOperationsService over its use cases. */
export function orderOperationsHandlers(
  parts: DecideOrderParts & {
    orders: OrderRepository;
    scents: ScentOrderRepository;
    timeline: TimelineRepository;
    fulfillment: MoveGroupParts;
  },
): RpcHandlers<typeof OrderOperationsServiceService> {
  const { orders, timeline } = parts;
  const findScent = async (orderGlobalId: string): Promise<Order | undefined> => {
    const order = await orders.findByGlobalId(orderGlobalId);
    return order?.product === 'Scent' ? order : undefined;
  };
  const answerOf = async (orderGlobalId: string): Promise<{ order: OrderMessage }> => {
    const order = await orders.findByGlobalId(orderGlobalId);
    if (!order) throw new AppError('NOT_FOUND_ORDER');
    return { order: toOrderMessage(order, await parts.scents.read(order)) };
  };
  const decide = async (
    kind: DecisionKind,
    { orderGlobalId, notes, activation }: Pick<Decision, 'orderGlobalId' | 'notes' | 'activation'>,
    call: CallContext,
  ): Promise<{ order: OrderMessage }> => {
    const operator = requireOperator(call);
    const { requestId } = call;
    const scent = await findScent(orderGlobalId);
    if (scent) {
      // A paid scent order is undone group by group (spec §7.3).
      if (kind !== 'cancel') throw new AppError('CONFLICT_ORDER_STATE');
      await cancelOpenGroups(parts.fulfillment, scent.id, { operator, requestId, notes });
      return answerOf(orderGlobalId);
    }
    const decision = { orderGlobalId, kind, notes, operator, requestId, activation };
    const order = await decideOrder(parts, decision);
    return { order: toOrderMessage(order, await parts.scents.read(order)) };
  };
  return {
    async listAllOrders({ page, status, partnerId, environment }) {
      // A text that is no id at all is nobody's.
      if (partnerId !== undefined && !isUuid(partnerId)) return { orders: [], page: toPageInfo(page, 0) };
      const filter = { partnerId, status: fromStatus(status), environment: fromEnvironment(environment) };
      const list = await orders.list(filter, page);
      return { orders: list.orders.map(toSummary), page: list.page };
    },
    async getOrderTimeline({ orderGlobalId }) {
      const order = await orders.findByGlobalId(orderGlobalId);
      if (!order) throw new AppError('NOT_FOUND_ORDER');
      const scent = await parts.scents.read(order);
      return {
        summary: toSummary(order),
        entries: await timeline.read(order.id),
        scentOrder: scent && toScentOrder(order, scent),
      };
    },
    resolveOrder(request, call) {
      requireOperator(call);
      if (request.outcome === OrderStatus.COMPLETED) {
        return decide('resolve-completed', { ...request, activation: givenActivation(request) }, call);
      }
      if (request.outcome === OrderStatus.FAILED) return decide('resolve-failed', request, call);
      throw validationFailed([{ path: 'outcome', message: 'must be Completed or Failed' }]);
    },
    cancelOrder: (request, call) => decide('cancel', request, call),
    reverseOrder: (request, call) => decide('reverse', request, call),
  };
}

function givenActivation(request: ResolveOrderRequest): EsimActivation | undefined {
  const { esimIccid, esimQrCode, esimActivationCode, esimPlanDetails } = request;
  const given = {
    iccid: esimIccid ?? null,
    qrCode: esimQrCode ?? null,
    activationCode: esimActivationCode ?? null,
    planDetails: esimPlanDetails ?? null,
  };
  return Object.values(given).some((value) => value !== null) ? given : undefined;
}

function requireOperator(call: CallContext): string {
  if (call.operator) return call.operator;
  throw new AppError('INTERNAL_ERROR', {}, { cause: new Error('the call names no operator') });
}
