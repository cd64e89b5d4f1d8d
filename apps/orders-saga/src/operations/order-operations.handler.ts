import {
  OrderDecision,
  OrderStatus,
  type ListAllOrdersRequest,
  type Order as OrderMessage,
  type OrderSummary,
  type OrderOperationsServiceService,
} from '@reseller/contracts';
import { pageBounds, toPageInfo } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import {
  environmentNameOf,
  isUuid,
  requireOperator,
  type CallContext,
  type RpcHandlers,
} from '@reseller/rpc';
import type { Order } from '../order/domain/order';
import { fromStatus, toSummary } from '../order/order.mapper';
import { productOf, PRODUCTS } from '../products';
import type { SagaSnapshot } from '../saga/domain/transition';
import { decideOrder } from './decide-order';
import { freeCheckout, type FreeCheckoutDeps } from './free-checkout';
import { stepOfDecision, DECISION_KINDS, type DecisionKind } from './domain/decision';
import type { OperatorFilter, OrderSearchRepository } from './order-search.repository';
import type { Parked, ParkedRepository } from './parked.repository';
import type { DecideOrderDeps, Decision } from './take-decision';
import type { TimelineRepository } from './timeline.repository';

/** What operators' orders work with. */
export type OrderOperationsDeps = DecideOrderDeps &
  FreeCheckoutDeps & {
    search: OrderSearchRepository;
    timeline: TimelineRepository;
    parked: ParkedRepository;
  };

/** OrderOperationsService over its use cases. */
export function createOrderOperationsHandlers(
  deps: OrderOperationsDeps,
): Omit<RpcHandlers<typeof OrderOperationsServiceService>, 'getOrderOverview'> {
  const { orders, search, timeline, parked, sagas } = deps;
  const toRows = async (found: readonly Order[]): Promise<OrderSummary[]> => {
    const waiting = await parked.find(found.map(({ id }) => id));
    return found.map((order) => toRow(order, waiting));
  };
  const decide = async (
    decision: Omit<Decision, 'operator' | 'account' | 'requestId'>,
    call: CallContext,
  ): Promise<{ order: OrderMessage }> => {
    const operator = requireOperator(call);
    const { operatorAccount: account, requestId } = call;
    const order = await decideOrder(deps, { ...decision, operator, account, requestId });
    return { order: await productOf(order.product).toMessage(deps, order) };
  };
  return {
    async listAllOrders(request) {
      const { page, partnerId, oldestFirst } = request;
      // A text that is no id at all is nobody's.
      if (partnerId !== undefined && !isUuid(partnerId)) return { orders: [], page: toPageInfo(page, 0) };
      const filter = toFilter(request);
      const list =
        (await search.list(filter, page, oldestFirst)) ?? (await orders.list(filter, page, oldestFirst));
      return { orders: await toRows(list.orders), page: list.page };
    },
    async searchOrders({ text, limit }) {
      const { limit: most } = pageBounds({ page: 1, pageSize: limit });
      return { orders: await toRows(await search.search(text, most)) };
    },
    async getOrderTimeline({ orderGlobalId }) {
      const order = await orders.findByGlobalId(orderGlobalId);
      if (!order) throw new AppError('NOT_FOUND_ORDER');
      const product = productOf(order.product);
      const [state, waiting] = await Promise.all([sagas.load(order.id), parked.find([order.id])]);
      return {
        summary: toRow(order, waiting),
        decisions: state ? decisionsOf(state) : [],
        requestJson: JSON.stringify(order.request),
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
    async freeCheckout({ orderGlobalId }, call) {
      requireOperator(call);
      await freeCheckout(deps, orderGlobalId, call);
      return {};
    },
  };
}

function toFilter(request: ListAllOrdersRequest): OperatorFilter {
  const { partnerId, fromAt, toAt, orderGlobalId, externalReference, phoneNumber, parked } = request;
  return {
    ...{ partnerId, fromAt, toAt, orderGlobalId, externalReference, phoneNumber, isParked: parked },
    status: fromStatus(request.status),
    environment: environmentNameOf(request.environment),
    product: PRODUCTS.find(({ type }) => type === request.productType)?.name,
  };
}

function toRow(order: Order, waiting: readonly Parked[]): OrderSummary {
  const parked = waiting
    .filter(({ orderId }) => orderId === order.id)
    .map(({ step, code, reason, since, subjectId }) => ({
      step,
      code,
      reason,
      since,
      subjectId: subjectId ?? undefined,
    }));
  return { ...toSummary(productOf(order.product).type, order), parked };
}

const DECISIONS: Record<DecisionKind, OrderDecision> = {
  'resolve-completed': OrderDecision.RESOLVE_COMPLETED,
  'resolve-failed': OrderDecision.RESOLVE_FAILED,
  cancel: OrderDecision.CANCEL,
  reverse: OrderDecision.REVERSE,
};

function decisionsOf({ order, journal }: SagaSnapshot): OrderDecision[] {
  const { decisions } = productOf(order.product);
  return DECISION_KINDS.filter((kind) => {
    const rule = decisions[kind];
    return rule && stepOfDecision(kind, rule, order.status, journal) !== undefined;
  }).map((kind) => DECISIONS[kind]);
}
