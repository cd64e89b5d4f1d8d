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
import { createErasureHandlers } from './erasure/erasure.handler';
import { approveReversal, type ApproveReversalDeps } from './operations/approve-reversal';
import { createOrderOperationsHandlers } from './operations/order-operations.handler';
import { createOrderHandlers } from './order/order.handler';
import { createCreateResultsHandlers, createOverviewHandlers } from './overview/overview.handler';
import { createPartnerReconciliationHandlers } from './partner-reconciliation/partner-reconciliation.handler';
import { createEsimOrderHandlers } from './products/esim/esim-order.handler';
import { createEsimProductHandlers } from './products/esim/esim-product.handler';
import { createFulfillmentOperationsHandlers } from './products/scent/fulfillment/fulfillment-operations.handler';
import { createReturnRequestHandlers } from './products/scent/returns/return-request.handler';
import { createScentOrderHandlers } from './products/scent/scent-order.handler';
import { createSandboxOrderHandlers } from './sandbox/sandbox-order.handler';
import { createTopupOrderHandlers } from './products/topup/topup-order.handler';

/** What all handlers of orders work with. */
export type OrderServicesDeps = ApproveReversalDeps &
  Parameters<typeof createOrderOperationsHandlers>[0] &
  Parameters<typeof createOrderHandlers>[0] &
  Parameters<typeof createCreateResultsHandlers>[0] &
  Parameters<typeof createErasureHandlers>[0] &
  Parameters<typeof createOverviewHandlers>[0] &
  Parameters<typeof createEsimOrderHandlers>[0] &
  Parameters<typeof createEsimProductHandlers>[0] &
  Parameters<typeof createFulfillmentOperationsHandlers>[0] &
  Parameters<typeof createPartnerReconciliationHandlers>[0] &
  Parameters<typeof createReturnRequestHandlers>[0] &
  Parameters<typeof createSandboxOrderHandlers>[0] &
  Parameters<typeof createScentOrderHandlers>[0] &
  Parameters<typeof createTopupOrderHandlers>[0] & {
    replica: Replica | undefined;
    /** What operators' lists and figures are read by, over another pool. */
    overReplica: (pool: Pool) => Pick<OperationsDeps, 'orders' | 'search' | 'parked' | 'overview'>;
  };

type OperationsDeps = Parameters<typeof createOrderOperationsHandlers>[0] &
  Parameters<typeof createOverviewHandlers>[0];

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
