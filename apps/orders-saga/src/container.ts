import {
  CheckoutServiceService,
  CheckoutStateServiceService,
  EsimOrderServiceService,
  FulfillmentOperationsServiceService,
  FundsServiceService,
  OrderFundsServiceService,
  OrderOperationsServiceService,
  OrderServiceService,
  ReturnRequestServiceService,
  ScentOrderServiceService,
  SettlementServiceService,
  TopupOrderServiceService,
} from '@reseller/contracts';
import {
  answerUnavailable,
  createPool,
  createPrismaAdapter,
  observeBacklogs,
  query,
  serveReconciler,
  withTransaction,
} from '@reseller/database';
import { createEventBus, createOutboxRelay, eventBusOptions, outboxBacklog } from '@reseller/messaging';
import { closeRpcClients, createRpcClients, defineRpc, type RpcService } from '@reseller/rpc';
import {
  createJob,
  type Job,
  type Logger,
  type ServiceParts,
  type StartInput,
  type Stoppable,
} from '@reseller/service-kit';
import { createVendorSimulation } from '@reseller/vendor-simulation';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { Config } from './config';
import { crashAt } from './crash-points';
import { esimOrderHandlers } from './products/esim/esim-order.handler';
import { EsimProductRepository } from './products/esim/esim-product.repository';
import { fulfillmentOperationsHandlers } from './products/scent/fulfillment/fulfillment-operations.handler';
import { OrderTaskRepository } from './products/scent/fulfillment/order-task.repository';
import { TASK_EFFECTS, type TaskEffectParts } from './products/scent/fulfillment/task-effects';
import { TaskRunner } from './products/scent/fulfillment/task-runner';
import { createFunds, type Funds } from './clients/finance/funds';
import { PrismaClient } from './generated/prisma/client';
import { GeoScopeRepository } from './geo-scope/geo-scope.repository';
import { ORDER_BACKLOGS } from './backlog/backlogs';
import { orderOperationsHandlers } from './operations/order-operations.handler';
import { TimelineRepository } from './operations/timeline.repository';
import { orderHandlers } from './order/order.handler';
import { orderIdOf } from './order/domain/order-id';
import { foldOrderTotals } from './order/order-totals.repository';
import { OrderRepository } from './order/order.repository';
import { returnRequestHandlers } from './products/scent/returns/return-request.handler';
import { ReturnRequestRepository } from './products/scent/returns/return-request.repository';
import { createLedger, createShop } from './reconciliation/neighbours';
import { orderChecks } from './reconciliation/order-checks';
import { LeaseKeeper } from './saga/lease-keeper';
import { OwnerRepository } from './saga/owner.repository';
import { Presence } from './saga/instance-liveness';
import { Recovery } from './saga/recovery';
import { RunningAttempts } from './saga/running-attempts';
import { SagaEngine } from './saga/saga-engine';
import { sagaMetrics } from './saga/saga-metrics';
import { SagaRepository } from './saga/saga.repository';
import { scentOrderSaga } from './products/scent/scent-order.saga';
import { askVendor, chooseVendor } from './products/steps/submit-to-vendor';
import { checkOut } from './products/scent/steps/check-out';
import { captureFunds } from './products/steps/capture-funds';
import { reserveFunds } from './products/steps/reserve-funds';
import { settleOrder } from './products/scent/steps/settle-order';
import { vendorOrderSaga } from './products/vendor-order.saga';
import { createCheckouts, type Checkouts } from './clients/scent-commerce/checkouts';
import { scentOrderHandlers } from './products/scent/scent-order.handler';
import { ScentOrderRepository } from './products/scent/scent-order.repository';
import { createSettlements, type Settlements } from './clients/finance/settlements';
import { topupOrderHandlers } from './products/topup/topup-order.handler';
import { createCallbackServer } from './clients/vendors/callback/callback-server';
import { createHttpVendor, type HttpVendorSettings } from './clients/vendors/http/http-vendor';
import { createVendorMetrics } from './clients/vendors/http/vendor-metrics';
import { createSimulatedVendor } from './clients/vendors/simulated-vendor';
import { VendorDirectory } from './clients/vendors/vendor-directory';

/** What the container is wired from. */
export interface ContainerInput {
  readonly config: Config;
  readonly pool: Pool;
  readonly prisma: PrismaClient;
  readonly funds: Funds;
  readonly settlements: Settlements;
  readonly checkouts: Checkouts;
  readonly vendors: VendorDirectory;
  readonly log: Logger;
  readonly metrics?: Registry;
}

/** orders-saga without its process: what it serves and what it does in the background. */
export interface Container {
  readonly rpc: RpcService[];
  readonly jobs: Job[];
  readonly recovery: Recovery;
  /** Carries out what operators decided and nobody waits for any more. */
  readonly tasks: Job;
  /** To be stopped last, when nothing is driven any more. */
  readonly presence: Presence;
  readonly running: RunningAttempts;
  /** Polls a vendor's order now, if it waits for that vendor; any other text or order is passed over. */
  readonly wakeVendorOrder: (vendor: string, orderGlobalId: string) => Promise<void>;
}

/** Wires the use cases to one database, one finance and the vendors. */
export function createContainer(input: ContainerInput): Container {
  const { config, pool, prisma, funds, settlements, checkouts, vendors, log, metrics } = input;
  const orders = new OrderRepository(pool);
  const scents = new ScentOrderRepository(pool);
  const geoScopes = new GeoScopeRepository(prisma);
  const esimProducts = new EsimProductRepository(prisma);
  const owner = `${hostname()}:${process.pid}:${randomUUID()}`;
  const sagas = new SagaRepository(pool, { owner, ms: config.SAGA_LEASE_MS });
  const running = new RunningAttempts();
  const passCrashPoint = crashAt({ point: config.CRASH_POINT, file: config.CRASH_POINT_FILE });
  const leases = new LeaseKeeper(sagas, {
    owner,
    leaseMs: config.SAGA_LEASE_MS,
    heartbeatMs: config.SAGA_HEARTBEAT_MS,
    log,
  });
  const plan = vendorOrderSaga({
    reserveFunds: reserveFunds(funds),
    askVendor: askVendor(vendors, vendorTimes(config)),
    chooseVendor: chooseVendor(vendors),
    captureFunds: captureFunds(funds),
  });
  const scentPlan = scentOrderSaga({
    checkOut: checkOut(checkouts),
    reserveFunds: reserveFunds(funds),
    settleOrder: settleOrder(settlements, scents),
  });
  const budgetMs = config.SAGA_BUDGET_MS;
  const engine = new SagaEngine({
    sagas,
    leases,
    running,
    planOf: ({ product }) => (product === 'Scent' ? scentPlan : plan),
    passCrashPoint,
    budgetMs,
    log,
    metrics: sagaMetrics(metrics),
  });
  const recovery = new Recovery({
    ...input,
    sagas,
    engine,
    leases,
    intervalMs: config.RECOVERY_INTERVAL_MS,
    batch: config.RECOVERY_BATCH,
  });
  const requests = new ReturnRequestRepository(pool);
  const tasks = new OrderTaskRepository(pool, { owner, ms: config.TASK_LEASE_MS });
  const effects: TaskEffectParts = {
    tasks,
    orders,
    scents,
    requests,
    settlements,
    checkouts,
    passCrashPoint,
  };
  const runner = new TaskRunner({
    tasks,
    carryOut: (task, call) => TASK_EFFECTS[task.kind](effects, task, call),
    running,
    waitMs: config.DECISION_WAIT_MS,
    intervalMs: config.RECOVERY_INTERVAL_MS,
    batch: config.RECOVERY_BATCH,
    log,
    metrics,
  });
  const presence = new Presence({
    owners: new OwnerRepository(pool, { connectionString: config.DATABASE_URL, log }),
    leases,
    graceMs: config.OWNER_GRACE_MS,
    intervalMs: config.OWNER_LOOK_MS,
    onFreed: () => {
      recovery.job.wake();
      runner.job.wake();
    },
    log,
    metrics: input.metrics,
  });
  const totals = createJob({
    name: 'order-totals',
    intervalMs: config.TOTALS_INTERVAL_MS,
    run: () => withTransaction(pool, foldOrderTotals),
    log,
    metrics,
  });
  const common = { orders, sagas, engine, leases, running };
  const place = { ...common, funds, passCrashPoint, duplicateWaitMs: config.DUPLICATE_WAIT_MS };
  const create = { place, geoScopes, esimProducts, vendors, plan, scentPlan, orders, scents };
  const timeline = new TimelineRepository(prisma);
  const fulfillment = { tasks, runner, passCrashPoint, requests, orders, scents };
  const decide = { ...common, scents, vendors, timeline, fulfillment, waitMs: config.DECISION_WAIT_MS };
  const returns = { orders, tasks, requests, returnWindowMs: config.RETURN_WINDOW_MS };
  return {
    rpc: [
      defineRpc(TopupOrderServiceService, topupOrderHandlers(create)),
      defineRpc(EsimOrderServiceService, esimOrderHandlers(create)),
      defineRpc(ScentOrderServiceService, scentOrderHandlers(create)),
      defineRpc(OrderServiceService, orderHandlers({ orders, geoScopes, esimProducts, scents })),
      defineRpc(OrderOperationsServiceService, orderOperationsHandlers(decide)),
      defineRpc(FulfillmentOperationsServiceService, fulfillmentOperationsHandlers(fulfillment)),
      defineRpc(ReturnRequestServiceService, returnRequestHandlers(returns)),
    ].map(answerUnavailable),
    jobs: [presence.job, leases.heartbeat, recovery.job, runner.job, totals],
    tasks: runner.job,
    recovery,
    presence,
    running,
    async wakeVendorOrder(vendor, globalId) {
      const orderId = orderIdOf(globalId);
      if (orderId !== undefined && (await sagas.wake(orderId, vendor))) recovery.job.wake();
    },
  };
}

/** Everything the running service consists of. */
export async function startOrdersSaga({
  config,
  log,
  metrics,
  security,
}: StartInput<Config>): Promise<ServiceParts> {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ connectionString, max, name: 'orders-saga', log, metrics });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  // A saga asks again by itself, under the same key; only its reads are repeated below it.
  const retries = 'reads';
  const finance = createRpcClients(
    {
      funds: [FundsServiceService, 'finance'],
      settlements: [SettlementServiceService, 'finance'],
      orderFunds: [OrderFundsServiceService, 'finance'],
    },
    { finance: config.FINANCE_ADDRESS },
    { defaultDeadlineMs: config.FINANCE_DEADLINE_MS, retries, log, metrics, security },
  );
  const shop = createRpcClients(
    {
      checkouts: [CheckoutServiceService, 'scent-commerce'],
      checkoutStates: [CheckoutStateServiceService, 'scent-commerce'],
    },
    { 'scent-commerce': config.SCENT_COMMERCE_ADDRESS },
    { defaultDeadlineMs: config.SHOP_DEADLINE_MS, retries, log, metrics, security },
  );
  const checks = orderChecks({
    ledger: createLedger(finance.orderFunds),
    shop: createShop(shop.checkoutStates),
  });
  const reconciler = serveReconciler({ pool, checks, log, metrics }, config);
  const simulated = createSimulatedVendor(createVendorSimulation({ pool }));
  const observed = { metrics: createVendorMetrics(metrics), log };
  const patience = vendorPatience(config);
  const live = config.VENDORS.map((vendor) => ({
    ...vendor,
    vendor: createHttpVendor({ ...vendor, ...patience }, observed),
  }));
  const container = createContainer({
    config,
    pool,
    prisma,
    funds: createFunds(finance.funds, config.FINANCE_DEADLINE_MS),
    settlements: createSettlements(finance.settlements, config.FINANCE_DEADLINE_MS),
    checkouts: createCheckouts(shop.checkouts, {
      deadlineMs: config.SHOP_DEADLINE_MS,
      platformTaxRegistrationNumber: config.PLATFORM_TAX_REGISTRATION_NUMBER,
    }),
    vendors: new VendorDirectory(simulated, live),
    log,
    metrics,
  });
  const bus = createEventBus({ ...eventBusOptions(config), clientId: 'orders-saga', log, metrics });
  observeBacklogs({ pool, metrics, log }, [outboxBacklog, ...ORDER_BACKLOGS]);
  const relay = createOutboxRelay({ connectionString, bus, log, metrics });
  const drained: Stoppable = { stop: () => container.running.drain() };
  return {
    rpc: [...container.rpc, answerUnavailable(reconciler.rpc)],
    ...callbackListener(config, container, { log, metrics }),
    jobs: [...container.jobs, ...reconciler.jobs],
    consumers: [container.recovery, drained, relay],
    ready: {
      database: async () => {
        await query(pool, { name: 'ready', text: 'SELECT 1' });
      },
    },
    close: async () => {
      await container.presence.stop();
      for (const clients of [finance, shop]) closeRpcClients(clients);
      await Promise.all(live.map(({ vendor }) => vendor.close()));
      await bus.close();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}

function callbackListener(
  config: Config,
  { wakeVendorOrder }: Container,
  { log, metrics }: { log: Logger; metrics: Registry },
): Pick<ServiceParts, 'http'> {
  const { VENDOR_CALLBACK_HOST: host, VENDOR_CALLBACK_PORT: port } = config;
  if (port === undefined) return {};
  const secrets = new Map(
    config.VENDORS.flatMap(({ name, callbackSecret }) => (callbackSecret ? [[name, callbackSecret]] : [])),
  );
  const server = createCallbackServer({ secrets, wake: wakeVendorOrder, log, metrics });
  return { http: { server, host, port, portVariable: 'VENDOR_CALLBACK_PORT' } };
}

function vendorPatience(config: Config): Pick<HttpVendorSettings, 'times' | 'breaker'> {
  return {
    times: { timeoutMs: config.VENDOR_TIMEOUT_MS, connectTimeoutMs: config.VENDOR_CONNECT_TIMEOUT_MS },
    breaker: { faults: config.VENDOR_BREAKER_FAULTS, openMs: config.VENDOR_BREAKER_OPEN_MS },
  };
}

function vendorTimes(config: Config): Parameters<typeof askVendor>[1] {
  const base = config.VENDOR_RETRY_BASE_MS;
  return {
    retryDelaysMs: [base, 2 * base, 4 * base],
    pollBaseMs: config.VENDOR_POLL_BASE_MS,
    pollCapMs: config.VENDOR_POLL_CAP_MS,
    unknownAfterMs: config.VENDOR_UNKNOWN_AFTER_MS,
  };
}
