import { ApprovalRepository } from '@reseller/approvals';
import { KeyedCalls, withTransaction, type Replica } from '@reseller/database';
import type { RpcService } from '@reseller/rpc';
import { crashAt, createJob, type Job, type Logger } from '@reseller/service-kit';
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import type { Clients } from './clients/create-clients';
import type { VendorDirectory } from './clients/vendors/vendor-directory';
import type { Config } from './config';
import { createErasureJob } from './erasure/erase-orders';
import { ErasureRepository } from './erasure/erasure.repository';
import { recipientKeysOf } from './erasure/recipient-keys';
import type { PrismaClient } from './generated/prisma/client';
import { GeoScopeRepository } from './geo-scope/geo-scope.repository';
import { OrderSearchRepository } from './operations/order-search.repository';
import { ParkedRepository } from './operations/parked.repository';
import { TimelineRepository } from './operations/timeline.repository';
import { orderIdOf } from './order/domain/order-id';
import { foldOrderTotals, isAnyTotalChanged } from './order/order-totals.repository';
import { orderSource } from './order/order-row';
import { HistoryRepository } from './order/history.repository';
import { OrderRepository } from './order/order.repository';
import { CreateResultsRepository } from './overview/create-results.repository';
import { HourAmountsRepository } from './overview/hour-amounts.repository';
import { HourDurationsRepository } from './overview/hour-durations.repository';
import { OverviewRepository } from './overview/overview.repository';
import { VendorCallLog } from './overview/vendor-call-log';
import { VendorCallRepository } from './overview/vendor-call.repository';
import { orderServices } from './order-services.container';
import { observeReconciliations } from './partner-reconciliation/reconciliation-metrics';
import { ReconciliationRepository } from './partner-reconciliation/reconciliation.repository';
import { Turns } from './partner-reconciliation/turns';
import { productOf, PRODUCTS } from './products';
import { EsimProductRepository } from './products/esim/esim-product.repository';
import { laneSizes } from './products/lanes';
import type { ProductDeps } from './products/product';
import { OpenGroupsRepository } from './products/scent/fulfillment/open-groups.repository';
import { OrderTaskRepository } from './products/scent/fulfillment/order-task.repository';
import { TaskRunner } from './products/scent/fulfillment/task-runner';
import type { CreateReturnRequestDeps } from './products/scent/returns/create-return-request';
import { ReturnRequestRepository } from './products/scent/returns/return-request.repository';
import { ScentOrderRepository } from './products/scent/scent-order.repository';
import { vendorTimesOf } from './products/vendor-order/vendor-times';
import { RecipientHashes } from './recipient/recipient-hashes';
import { RecipientKeyRepository } from './recipient/recipient-key.repository';
import { createSagas } from './saga/create-sagas';
import { parkingLimits } from './saga/domain/failure';
import type { InstanceLiveness } from './saga/instance-liveness';
import type { Recovery } from './saga/recovery';
import { RunningAttempts } from './saga/running-attempts';

/** Each holds a file in memory, and at its end a connection. */
const RECONCILIATIONS_AT_ONCE = 2;
/** So that an overview shows a call to a vendor within about a second. */
const VENDOR_CALLS_INTERVAL_MS = 1_000;
/** An hour that is not added up costs an overview the reading of its orders. */
const HOUR_AMOUNTS_INTERVAL_MS = 60_000;

/** What orders are wired from. */
interface OrdersDeps {
  readonly config: Config;
  readonly pool: Pool;
  readonly replica?: Replica | undefined;
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
export function createOrders(wiring: OrdersDeps): Orders {
  const { config, pool, replica, prisma, clients, vendors, log, metrics } = wiring;
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
    parking: parkingLimits(config),
    batch: config.RECOVERY_BATCH,
    log,
    metrics,
  });
  const vendorCalls = new VendorCallLog(new VendorCallRepository(pool));
  const productDeps: ProductDeps = {
    ...clients,
    recipients: new RecipientHashes(new RecipientKeyRepository(pool)),
    vendors: vendors.observedBy((environment, call) => vendorCalls.record(environment, call)),
    vendorTimes: vendorTimesOf(config),
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

  const recipientKeys = recipientKeysOf(config.ERASURE_HASH_KEY);
  const recheckMs = config.ERASURE_RECHECK_MS;
  const erasures =
    recipientKeys &&
    createErasureJob({
      pool,
      products: PRODUCTS,
      keys: recipientKeys,
      recheckMs,
      passCrashPoint,
      log,
      metrics,
    });
  const returnDeps = { tasks, returnWindowMs: config.RETURN_WINDOW_MS };
  const deps = {
    ...productDeps,
    checkoutStates: clients.checkoutStates,
    erasures: new ErasureRepository(prisma),
    wakeErasures: () => erasures?.wake(),
    recipientKeys,
    orders,
    sagas,
    engine,
    leases,
    running,
    requests,
    openGroups: new OpenGroupsRepository(prisma),
    ...operatorReads(pool),
    timeline: new TimelineRepository(pool),
    history: new HistoryRepository(pool),
    createResults: new CreateResultsRepository(pool),
    duplicateWaitMs: config.DUPLICATE_WAIT_MS,
    decisionWaitMs: config.DECISION_WAIT_MS,
    approvals: new ApprovalRepository(config.APPROVAL_TTL_MS),
    approvalSettings: config,
    pool,
    replica,
    overReplica: (of: Pool) => ({ ...operatorReads(of), orders: new OrderRepository(of, PRODUCTS) }),
    reconciliations: new ReconciliationRepository(pool, PRODUCTS),
    turns: new Turns(RECONCILIATIONS_AT_ONCE),
    observeReconciliation: observeReconciliations(metrics),
    returnWindowMs: config.RETURN_WINDOW_MS,
    keyedReturns: new KeyedCalls<CreateReturnRequestDeps>({
      db: pool,
      deps: returnDeps,
      within: (work) => withTransaction(pool, (tx) => work(tx, { ...returnDeps, tasks: tasks.within(tx) })),
    }),
  };
  return {
    rpc: orderServices(deps),
    jobs: [
      liveness.job,
      leases.renewal,
      recovery.job,
      runner.job,
      ...figureJobs(wiring, vendorCalls),
      ...(erasures ? [erasures] : []),
    ],
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

/** The jobs that add up what lists and overviews show. */
function figureJobs({ config, pool, log, metrics }: OrdersDeps, vendorCalls: VendorCallLog): Job[] {
  const amounts = new HourAmountsRepository(pool);
  const durations = new HourDurationsRepository(pool, config.CREATE_RESULTS_RETENTION_MS);
  return [
    createJob({
      name: 'order-totals',
      intervalMs: config.TOTALS_INTERVAL_MS,
      run: async () => (await isAnyTotalChanged(pool)) && (await withTransaction(pool, foldOrderTotals)),
      log,
      metrics,
    }),
    createJob({
      name: 'hour-amounts',
      afterStart: true,
      intervalMs: HOUR_AMOUNTS_INTERVAL_MS,
      run: async () => (await amounts.addUp()) || (await durations.addUp()),
      log,
      metrics,
    }),
    createJob({
      name: 'vendor-calls',
      intervalMs: VENDOR_CALLS_INTERVAL_MS,
      run: () => vendorCalls.flush(),
      log,
      metrics,
    }),
  ];
}

/** What operators' lists and figures are read by. */
const operatorReads = (pool: Pool) => ({
  search: new OrderSearchRepository(pool, PRODUCTS),
  parked: new ParkedRepository(pool),
  overview: new OverviewRepository(pool, orderSource(PRODUCTS).visible),
});
