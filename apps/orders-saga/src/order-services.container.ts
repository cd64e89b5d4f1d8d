import { approvalService } from '@reseller/approvals';
import {
  CreateResultsServiceService,
  ErasureServiceService,
  EsimOrderServiceService,
  FulfillmentOperationsServiceService,
  OrderOperationsServiceService,
  OrderServiceService,
  PartnerReconciliationServiceService,
  ReturnRequestServiceService,
  SandboxOrderServiceService,
  ScentOrderServiceService,
  TopupOrderServiceService,
} from '@reseller/contracts';
import { idempotencyKeyService, mapDatabaseOutage, readFromReplica, type Replica } from '@reseller/database';
import { defineRpc, type RpcService } from '@reseller/rpc';
import type { Pool } from 'pg';
import { createErasureHandlers, type ErasureHandlersDeps } from './erasure/erasure.handler';
import { approveReversal, type ApproveReversalDeps } from './operations/approve-reversal';
import {
  createOrderOperationsHandlers,
  type OrderOperationsDeps,
} from './operations/order-operations.handler';
import { createOrderHandlers, type OrderHandlersDeps } from './order/order.handler';
import {
  createCreateResultsHandlers,
  createOverviewHandlers,
  type CreateResultsDeps,
  type OverviewDeps,
} from './overview/overview.handler';
import { createPartnerReconciliationHandlers } from './partner-reconciliation/partner-reconciliation.handler';
import type { ReconciliationDeps } from './partner-reconciliation/reconcile-orders';
import { createEsimOrderHandlers } from './products/esim/esim-order.handler';
import { createEsimProductHandlers, type EsimProductsDeps } from './products/esim/esim-product.handler';
import type { PlaceOrderDeps } from './products/place-order';
import {
  createFulfillmentOperationsHandlers,
  type FulfillmentOperationsDeps,
} from './products/scent/fulfillment/fulfillment-operations.handler';
import {
  createReturnRequestHandlers,
  type ReturnRequestDeps,
} from './products/scent/returns/return-request.handler';
import { createScentOrderHandlers } from './products/scent/scent-order.handler';
import { createSandboxOrderHandlers } from './sandbox/sandbox-order.handler';
import { createTopupOrderHandlers } from './products/topup/topup-order.handler';

/** What all handlers of orders work with. */
type OrderServicesDeps = PlaceOrderDeps &
  OrderHandlersDeps &
  EsimProductsDeps &
  ReturnRequestDeps &
  FulfillmentOperationsDeps &
  ReconciliationDeps &
  ErasureHandlersDeps &
  CreateResultsDeps &
  OperationsDeps &
  ApproveReversalDeps & {
    replica: Replica | undefined;
    /** What operators' lists and figures are read by, over another pool. */
    overReplica: (pool: Pool) => Pick<OperationsDeps, 'orders' | 'search' | 'parked' | 'overview'>;
  };

type OperationsDeps = OrderOperationsDeps & OverviewDeps;

const operationsHandlers = (deps: OperationsDeps) => ({
  ...createOrderOperationsHandlers(deps),
  ...createOverviewHandlers(deps),
});

/** The RPC services of orders. */
export function orderServices(deps: OrderServicesDeps): RpcService[] {
  return [
    defineRpc(TopupOrderServiceService, createTopupOrderHandlers(deps)),
    defineRpc(EsimOrderServiceService, createEsimOrderHandlers(deps)),
    defineRpc(ScentOrderServiceService, createScentOrderHandlers(deps)),
    defineRpc(FulfillmentOperationsServiceService, createFulfillmentOperationsHandlers(deps)),
    defineRpc(ReturnRequestServiceService, createReturnRequestHandlers(deps)),
    defineRpc(SandboxOrderServiceService, createSandboxOrderHandlers(deps)),
    defineRpc(OrderServiceService, { ...createOrderHandlers(deps), ...createEsimProductHandlers(deps) }),
    defineRpc(PartnerReconciliationServiceService, createPartnerReconciliationHandlers(deps)),
    defineRpc(ErasureServiceService, createErasureHandlers(deps)),
    defineRpc(CreateResultsServiceService, createCreateResultsHandlers(deps)),
    readFromReplica(OrderOperationsServiceService, operationsHandlers(deps), deps.replica, (pool) =>
      operationsHandlers({ ...deps, ...deps.overReplica(pool) }),
    ),
    idempotencyKeyService(deps.pool),
    approvalService({
      pool: deps.pool,
      approvals: deps.approvals,
      approve: (approval, by) => approveReversal(deps, approval, by),
    }),
  ].map(mapDatabaseOutage);
}
