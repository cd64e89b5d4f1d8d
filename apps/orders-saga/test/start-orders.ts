import type { FakeFinance, FakeShop } from '@reseller/contract-testing';
import {
  ApprovalServiceService,
  ErasureServiceService,
  Environment,
  EsimOrderServiceService,
  FulfillmentOperationsServiceService,
  OrderOperationsServiceService,
  OrderServiceService,
  OrderStatus,
  ProductType,
  ReturnRequestServiceService,
  ScentOrderServiceService,
  TopupOrderServiceService,
  type CreateEsimOrderRequest,
  type CreateScentOrderRequest,
  type CreateTopupOrderRequest,
  type EsimOrder,
  type ScentOrder,
  type TopupOrder,
} from '@reseller/contracts';
import { createPrismaAdapter } from '@reseller/database';
import {
  closeRpcClients,
  createRpcClients,
  RpcServer,
  type CallContext,
  type RpcClients,
  type RpcClientTable,
} from '@reseller/rpc';
import { loadConfig } from '@reseller/service-kit';
import { silentLog, type TestDatabase } from '@reseller/testing';
import { createVendorSimulation, type VendorSimulation } from '@reseller/vendor-simulation';
import path from 'node:path';
import { v4 as uuid } from 'uuid';
import { config as schema } from '../src/config';
import { createClients } from '../src/clients/create-clients';
import { createOrders, type Orders } from '../src/orders.container';
import { PrismaClient } from '../src/generated/prisma/client';
import { createSimulatedVendor } from '../src/clients/vendors/simulated-vendor';
import { VendorDirectory, type LiveVendor } from '../src/clients/vendors/vendor-directory';

export const MIGRATIONS = path.join(__dirname, '../prisma/migrations');

/** No response is given up, however busy the machine is; what a test wants given up early, it says so. */
export const PATIENT = {
  SAGA_BUDGET_MS: '30000',
  DUPLICATE_WAIT_MS: '30000',
  DECISION_WAIT_MS: '30000',
  FINANCE_DEADLINE_MS: '30000',
  SHOP_DEADLINE_MS: '30000',
};

/** What cannot succeed while a dependency is away is given up soon. */
export const BRIEF = { SAGA_BUDGET_MS: '3000', DECISION_WAIT_MS: '3000' };

const SERVICES = {
  approvals: [ApprovalServiceService, 'orders-saga'],
  erasures: [ErasureServiceService, 'orders-saga'],
  topups: [TopupOrderServiceService, 'orders-saga'],
  esims: [EsimOrderServiceService, 'orders-saga'],
  scents: [ScentOrderServiceService, 'orders-saga'],
  orders: [OrderServiceService, 'orders-saga'],
  operations: [OrderOperationsServiceService, 'orders-saga'],
  fulfillment: [FulfillmentOperationsServiceService, 'orders-saga'],
  returns: [ReturnRequestServiceService, 'orders-saga'],
} as const satisfies RpcClientTable<'orders-saga'>;

/** Clients of a running orders-saga. */
export type Clients = RpcClients<typeof SERVICES>;

/** One instance of orders-saga in this process, with short clocks; `stop` ends it, the database stays. */
export interface RunningOrders extends Clients {
  readonly wired: Orders;
  /** Where it serves. */
  readonly address: string;
  readonly simulation: VendorSimulation;
  stop(): Promise<void>;
}

export async function startOrders(
  database: TestDatabase,
  finance: FakeFinance,
  env: Record<string, string> = {},
  options: { live?: readonly LiveVendor[]; withRecovery?: boolean; shop?: FakeShop } = {},
): Promise<RunningOrders> {
  const config = loadConfig(schema, {
    NODE_ENV: 'test',
    DATABASE_URL: database.serviceUrl,
    EVENT_BUS_URL: database.url,
    FINANCE_ADDRESS: finance.address,
    SCENT_COMMERCE_ADDRESS: options.shop?.address ?? '127.0.0.1:1',
    ...PATIENT,
    RECOVERY_INTERVAL_MS: '20',
    VENDOR_RETRY_BASE_MS: '10',
    VENDOR_POLL_BASE_MS: '50',
    ...env,
  });
  const { servicePool: pool } = database;
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const dependencies = createClients({ config, log: silentLog });
  const simulation = createVendorSimulation({ pool });
  const vendors = new VendorDirectory(createSimulatedVendor(simulation), options.live ?? []);
  const wired = createOrders({ config, pool, prisma, clients: dependencies, vendors, log: silentLog });
  const server = new RpcServer({ services: wired.rpc, log: silentLog });
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  const clients = connect(address);
  server.setServing(true);
  const jobs = wired.jobs.filter(
    (job) => options.withRecovery !== false || ![wired.recovery.job, wired.tasks].includes(job),
  );
  for (const job of jobs) job.start();
  return {
    ...clients,
    wired,
    address,
    simulation,
    async stop() {
      await server.drain(5_000);
      await Promise.all([...jobs.map((job) => job.stop()), wired.recovery.stop()]);
      await wired.running.drain();
      await wired.liveness.stop();
      await prisma.$disconnect();
      closeRpcClients({ ...clients, dependencies });
    },
  };
}

/** Clients of a running orders-saga. As in production, a change whose connection is lost fails at once: its caller repeats it. */
export const connect = (address: string): Clients =>
  createRpcClients(SERVICES, { 'orders-saga': address }, { defaultDeadlineMs: 60_000, retries: 'reads' });

/** A call of one partner; each test takes its own, so that tests see only their own orders. */
export function callOf(partnerId = uuid(), environment = Environment.SANDBOX): CallContext {
  return {
    requestId: 'test',
    partner: { partnerId, partnerGlobalId: 'P-1', path: [partnerId], environment, clientId: 'test' },
  };
}

export const operator: CallContext = { requestId: 'test', operator: 'Olga' };

/** A list of operators that nothing narrows. */
export const ANY_ORDER = {
  page: undefined,
  status: OrderStatus.UNSPECIFIED,
  environment: Environment.UNSPECIFIED,
  parked: false,
  productType: ProductType.UNSPECIFIED,
  fromAt: undefined,
  toAt: undefined,
  oldestFirst: false,
};

/** A top-up to a phone number that ends as spec §4.12 needs it. */
export function topup(ends = '9999', more: Partial<CreateTopupOrderRequest> = {}): CreateTopupOrderRequest {
  return {
    geoScopeGlobalId: 'GEO-SA',
    externalReference: uuid(),
    amount: '10.00',
    phoneNumber: `+96650000${ends}`,
    ...more,
  };
}

export async function create(
  { topups }: Clients,
  request: CreateTopupOrderRequest,
  call: CallContext,
): Promise<TopupOrder> {
  const { order } = await topups.createTopupOrder(request, call);
  if (!order) throw new Error('no order was returned');
  return order;
}

/** An eSIM for an address that ends as spec §4.12 needs it; without a tag it is delivered at once. */
export function esim(tag?: string, more: Partial<CreateEsimOrderRequest> = {}): CreateEsimOrderRequest {
  return {
    geoScopeGlobalId: 'GEO-SA',
    externalReference: uuid(),
    productSku: 'ESIM-SA-1GB-7D',
    email: tag ? `traveller+${tag}@example.com` : 'traveller@example.com',
    amount: '19.00',
    ...more,
  };
}

export async function createEsim(
  { esims }: Clients,
  request: CreateEsimOrderRequest,
  call: CallContext,
): Promise<EsimOrder> {
  const { order } = await esims.createEsimOrder(request, call);
  if (!order) throw new Error('no order was returned');
  return order;
}

/** The event types an order has emitted, in order. */
export async function eventsOf({ pool }: TestDatabase, orderId: string): Promise<string[]> {
  const { rows } = await pool.query<{ type: string }>(
    'SELECT type FROM outbox WHERE aggregate_id = $1 ORDER BY aggregate_seq',
    [orderId],
  );
  return rows.map(({ type }) => type.replace('reseller.orders.v1.', ''));
}

/** A checkout of a customer's cart at the fake shop: 270.00 to pay, in two fulfillment groups. */
export function scent(more: Partial<CreateScentOrderRequest> = {}): CreateScentOrderRequest {
  return {
    externalReference: uuid(),
    shippingAddress: {
      recipient: 'Noura',
      line1: 'King Fahd Road 12',
      line2: undefined,
      city: 'Riyadh',
      region: undefined,
      postalCode: undefined,
      country: 'SA',
      phone: '+966501234567',
    },
    ...more,
  };
}

export async function createScent(
  { scents }: Clients,
  request: CreateScentOrderRequest,
  call: CallContext,
): Promise<ScentOrder> {
  const { order } = await scents.createScentOrder(request, call);
  if (!order) throw new Error('no order was returned');
  return order;
}
