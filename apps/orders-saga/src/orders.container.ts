import {
  EsimOrderServiceService,
  FulfillmentOperationsServiceService,
  OrderOperationsServiceService,
  OrderServiceService,
  ReturnRequestServiceService,
  ScentOrderServiceService,
  TopupOrderServiceService,
} from '@reseller/contracts';
import { mapDatabaseOutage, withTransaction } from '@reseller/database';
import { defineRpc, type RpcService } from '@reseller/rpc';
import { createJob, type Job, type Logger } from '@reseller/service-kit';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { Clients } from './clients/create-clients';
import type { VendorDirectory } from './clients/vendors/vendor-directory';
import type { Config } from './config';
import { crashAt } from './crash-points';
import type { PrismaClient } from './generated/prisma/client';
import { GeoScopeRepository } from './geo-scope/geo-scope.repository';
import { createOrderOperationsHandlers } from './operations/order-operations.handler';
import { TimelineRepository } from './operations/timeline.repository';
import { orderIdOf } from './order/domain/order-id';
import { createOrderHandlers } from './order/order.handler';
import { foldOrderTotals } from './order/order-totals.repository';
import { OrderRepository } from './order/order.repository';
import { productOf, PRODUCTS } from './products';
import { createEsimOrderHandlers } from './products/esim/esim-order.handler';
import { createEsimProductHandlers } from './products/esim/esim-product.handler';
import { EsimProductRepository } from './products/esim/esim-product.repository';
import { laneSizes } from './products/lanes';
import type { ProductDeps } from './products/product';
import { createFulfillmentOperationsHandlers } from './products/scent/fulfillment/fulfillment-operations.handler';
import { OrderTaskRepository } from './products/scent/fulfillment/order-task.repository';
import { TaskRunner } from './products/scent/fulfillment/task-runner';
import { createReturnRequestHandlers } from './products/scent/returns/return-request.handler';
import { ReturnRequestRepository } from './products/scent/returns/return-request.repository';
import { createScentOrderHandlers } from './products/scent/scent-order.handler';
import { ScentOrderRepository } from './products/scent/scent-order.repository';
import { createTopupOrderHandlers } from './products/topup/topup-order.handler';
import type { VendorTimes } from './products/vendor-order/vendor-times';
import { createSagas } from './saga/create-sagas';
import type { InstanceLiveness } from './saga/instance-liveness';
import type { Recovery } from './saga/recovery';
import { RunningAttempts } from './saga/running-attempts';

/** What orders are wired from. */
export interface OrdersDeps {
  readonly config: Config;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly clients: Omit<Clients, 'close'>;
  readonly vendors: VendorDirectory;
  readonly log: Logger;
  readonly metrics?: Registry | undefined;
}

/** orders-saga without its process: what it serves and what it does in the background. */
export interface Orders {
  readonly rpc: RpcService[];
  readonly jobs: Job[];
  readonly recovery: Recovery;
  /** Carries out what operators decided and nobody waits for any more. */
  readonly tasks: Job;
  /** To be stopped last, when nothing is driven any more. */
  readonly liveness: InstanceLiveness;
  readonly running: RunningAttempts;
  /** Polls a vendor's order now, if it waits for that vendor; any other text or order is passed over. */
  readonly wakeVendorOrder: (vendor: string, orderGlobalId: string) => Promise<void>;
}

/** Wires the use cases to one database, the services they depend on and the vendors. */
export function createOrders({ config, pool, prisma, clients, vendors, log, metrics }: OrdersDeps): Orders {
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const running = new RunningAttempts();
  const passCrashPoint = crashAt({ point: config.CRASH_POINT, file: config.CRASH_POINT_FILE });
  const orders = new OrderRepository(pool, PRODUCTS);

  const scents = new ScentOrderRepository(pool);
  const requests = new ReturnRequestRepository(prisma);
  const tasks = new OrderTaskRepository(pool, prisma, { owner, ms: config.TASK_LEASE_MS });
  const runner = new TaskRunner({
    tasks,
    effects: { ...clients, tasks, orders, scents, requests, passCrashPoint },
    running,
    waitMs: config.DECISION_WAIT_MS,
    intervalMs: config.RECOVERY_INTERVAL_MS,
    batch: config.RECOVERY_BATCH,
    log,
    metrics,
  });
  const productDeps: ProductDeps = {
    ...clients,
    vendors,
    vendorTimes: vendorTimes(config),
    geoScopes: new GeoScopeRepository(prisma),
    esimProducts: new EsimProductRepository(prisma),
    scents,
    tasks,
    runner,
    passCrashPoint,
  };
  const { sagas, leases, engine, recovery, liveness } = createSagas({
    config,
    pool,
    owner,
    running,
    passCrashPoint,
    products: PRODUCTS,
    definitionOf: productOf,
    steps: productDeps,
    laneSizes: laneSizes(config),
    leasedJobs: [runner.job],
    log,
    metrics,
  });

  const totals = createJob({
    name: 'order-totals',
    intervalMs: config.TOTALS_INTERVAL_MS,
    run: () => withTransaction(pool, foldOrderTotals),
    log,
    metrics,
  });
  const deps = {
    ...productDeps,
    orders,
    sagas,
    engine,
    leases,
    running,
    requests,
    timeline: new TimelineRepository(prisma),
    duplicateWaitMs: config.DUPLICATE_WAIT_MS,
    decisionWaitMs: config.DECISION_WAIT_MS,
    returnWindowMs: config.RETURN_WINDOW_MS,
  };
  return {
    rpc: [
      defineRpc(TopupOrderServiceService, createTopupOrderHandlers(deps)),
      defineRpc(EsimOrderServiceService, createEsimOrderHandlers(deps)),
      defineRpc(ScentOrderServiceService, createScentOrderHandlers(deps)),
      defineRpc(FulfillmentOperationsServiceService, createFulfillmentOperationsHandlers(deps)),
      defineRpc(ReturnRequestServiceService, createReturnRequestHandlers(deps)),
      defineRpc(OrderServiceService, { ...createOrderHandlers(deps), ...createEsimProductHandlers(deps) }),
      defineRpc(OrderOperationsServiceService, createOrderOperationsHandlers(deps)),
    ].map(mapDatabaseOutage),
    jobs: [liveness.job, leases.renewal, recovery.job, runner.job, totals],
    tasks: runner.job,
    recovery,
    liveness,
    running,
    async wakeVendorOrder(vendor, globalId) {
      const orderId = orderIdOf(globalId);
      if (orderId !== undefined && (await sagas.wake(orderId, vendor))) recovery.job.wake();
    },
  };
}

function vendorTimes(config: Config): VendorTimes {
  const base = config.VENDOR_RETRY_BASE_MS;
  return {
    retryDelaysMs: [base, 2 * base, 4 * base],
    pollBaseMs: config.VENDOR_POLL_BASE_MS,
    pollCapMs: config.VENDOR_POLL_CAP_MS,
    unknownAfterMs: config.VENDOR_UNKNOWN_AFTER_MS,
  };
}
