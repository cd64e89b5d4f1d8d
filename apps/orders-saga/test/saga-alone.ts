import {
  Environment,
  OrderStatus,
  type CreateTopupOrderRequest,
  type CreateTopupOrderResponse,
} from '@reseller/contracts';
import { createPool, createPrismaAdapter } from '@reseller/database';
import type { CallContext } from '@reseller/rpc';
import { createLogger, loadConfig } from '@reseller/service-kit';
import { v7 as uuid } from 'uuid';
import type { Clients } from '../src/clients/create-clients';
import type { Funds } from '../src/clients/finance/funds';
import type { Vendor } from '../src/clients/vendors/domain/vendor';
import { VendorDirectory } from '../src/clients/vendors/vendor-directory';
import { config as schema } from '../src/config';
import { PrismaClient } from '../src/generated/prisma/client';
import { createOrders } from '../src/orders.container';

/** What one run is to do, and what came of it. */
interface Run {
  readonly seconds: number;
  readonly atOnce: number;
}

const AVAILABLE = '1000000000.00';

/** Money that is always there, and a vendor that delivers at once: steps that do nothing. */
const funds: Funds = {
  check: () => Promise.resolve({ availableBalance: AVAILABLE, displayRate: null }),
  recall: () => ({ displayRate: null }),
  reserve: () => Promise.resolve(undefined),
  capture: () => Promise.resolve(),
  release: () => Promise.resolve(),
  refund: () => Promise.resolve(),
};
const delivered = { kind: 'success', vendorOrderId: 'V-1' } as const;
const vendor: Vendor = {
  name: 'simulator',
  submit: () => Promise.resolve(delivered),
  inquire: () => Promise.resolve(delivered),
};

/**
 * The sagas of top-ups without a server, a network or another service, for the benchmark: the database is that of
 * DATABASE_URL, migrated. Says 0 when it is ready, then answers each run with what it did.
 */
async function main(): Promise<void> {
  const none = '127.0.0.1:1';
  const config = loadConfig(schema, {
    NODE_ENV: 'development',
    LOG_LEVEL: 'fatal',
    DATABASE_URL: process.env['DATABASE_URL'],
    EVENT_BUS_URL: process.env['DATABASE_URL'],
    FINANCE_ADDRESS: none,
    SCENT_COMMERCE_ADDRESS: none,
  });
  const log = createLogger({ name: 'orders-saga', level: 'fatal' });
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ connectionString, max, name: 'orders-saga', log });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const clients = { funds } as unknown as Clients;
  const vendors = new VendorDirectory(vendor, []);
  const orders = createOrders({ config, pool, prisma, clients, vendors, log });
  await orders.liveness.start();
  for (const job of orders.jobs) job.start();
  const create = orders.rpc
    .map(({ handlers }) => handlers['createTopupOrder'])
    .find((handler) => handler !== undefined);
  if (!create) throw new Error('no service creates top-ups');
  const place = async (): Promise<boolean> => {
    const { order } = (await create(newTopup(), CALL)) as CreateTopupOrderResponse;
    return order?.status === OrderStatus.COMPLETED;
  };
  process.on('message', (run: Run) => void repeat(run, place).then((result) => process.send?.(result)));
  process.once('disconnect', () => process.exit(0));
  process.send?.(0);
}

async function repeat({ seconds, atOnce }: Run, place: () => Promise<boolean>) {
  const startedAt = performance.now();
  const until = startedAt + seconds * 1_000;
  let [count, failures] = [0, 0];
  const work = async (): Promise<void> => {
    while (performance.now() < until) {
      if (await place()) count += 1;
      else failures += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { count, failures, seconds: (performance.now() - startedAt) / 1_000, p99: 0 };
}

const partnerId = uuid();
const CALL: CallContext = {
  requestId: 'bench',
  partner: {
    partnerId,
    partnerGlobalId: 'P-1',
    path: [partnerId],
    environment: Environment.SANDBOX,
    clientId: 'bench',
  },
};

const newTopup = (): CreateTopupOrderRequest => ({
  geoScopeGlobalId: 'GEO-SA',
  externalReference: uuid(),
  amount: '10.00',
  phoneNumber: '+966500009999',
});

void main();
