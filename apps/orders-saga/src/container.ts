import { serveArchive } from '@reseller/archive';
import {
  mapDatabaseOutage,
  createPool,
  databaseAddress,
  createPrismaAdapter,
  createReplica,
  createRetentionJob,
  observeBacklogs,
  databaseReady,
  serveReconciler,
  transactionAges,
} from '@reseller/database';
import { createEventBus, createOutboxRelay, eventBusOptions, outboxBacklog } from '@reseller/messaging';
import type { Logger, Container, ContainerDeps, Stoppable } from '@reseller/service-kit';
import type { Registry } from 'prom-client';
import { journalSource } from './archive/journal-archive.repository';
import { ORDER_BACKLOGS } from './backlog/backlogs';
import { createClients } from './clients/create-clients';
import { createCallbackServer } from './clients/vendors/callback/callback-server';
import { createVendors } from './clients/vendors/create-vendors';
import type { Config } from './config';
import { createOrders, type Orders } from './orders.container';
import { PrismaClient } from './generated/prisma/client';
import { DELIVERY_SHAPES } from './products';
import { orderChecks } from './reconciliation/order-checks';
import { retentionRules } from './retention';
import { createJournalRetention } from './saga/journal-retention';

/** Everything the running service consists of. */
export async function createContainer(start: ContainerDeps<Config>): Promise<Container> {
  const { config, log, metrics } = start;
  const address = databaseAddress(config);
  const { DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ ...address, max, name: 'orders-saga', log, metrics });
  const replica = createReplica(config, { max, name: 'orders-saga', log, metrics });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const bus = await createEventBus({ ...eventBusOptions(config), clientId: 'orders-saga', log, metrics });
  const clients = createClients(start);
  const vendors = createVendors(start, pool, DELIVERY_SHAPES);
  const wiring = { config, pool, replica, prisma, clients, vendors: vendors.directory };
  const orders = createOrders({ ...wiring, log, metrics });
  await orders.liveness.start();
  const reconciler = serveReconciler({ pool, checks: orderChecks(clients), log, metrics }, config);
  const keepMs = config.SAGA_JOURNAL_RETENTION_MS;
  const sources = [journalSource(pool, keepMs)];
  const archive = serveArchive({ service: 'orders-saga', pool, address, sources, log, metrics }, config);
  // What is archived goes then.
  const forgetting = config.ARCHIVE_URL ? [] : [createJournalRetention({ pool, keepMs, log, metrics })];
  observeBacklogs({ pool, metrics, log }, [outboxBacklog(), transactionAges, ...ORDER_BACKLOGS]);
  const relay = createOutboxRelay({ ...address, writers: pool, bus, log, metrics });
  const drained: Stoppable = { stop: () => orders.running.drain() };
  return {
    rpc: [...orders.rpc, mapDatabaseOutage(reconciler.rpc)],
    ...callbackListener(config, orders, { log, metrics }),
    jobs: [
      ...orders.jobs,
      ...reconciler.jobs,
      createRetentionJob(retentionRules(config), { pool, log, metrics }),
      ...archive.jobs,
      ...forgetting,
      ...(replica ? [replica.job] : []),
    ],
    consumers: [orders.recovery, drained, relay],
    ready: { database: databaseReady(pool) },
    close: async () => {
      await orders.liveness.stop();
      clients.close();
      await vendors.close();
      await bus.close();
      await reconciler.close();
      await archive.close();
      await prisma.$disconnect();
      await pool.end();
      await replica?.close();
    },
  };
}

function callbackListener(
  config: Config,
  { wakeVendorOrder }: Orders,
  { log, metrics }: { log: Logger; metrics: Registry },
): Pick<Container, 'http'> {
  const { VENDOR_CALLBACK_HOST: host, VENDOR_CALLBACK_PORT: port } = config;
  if (port === undefined) return {};
  const secrets = new Map(
    config.VENDORS.flatMap(({ name, callbackSecret }) => (callbackSecret ? [[name, callbackSecret]] : [])),
  );
  const server = createCallbackServer({ secrets, wake: wakeVendorOrder, log, metrics });
  return { http: { server, host, port, portVariable: 'VENDOR_CALLBACK_PORT' } };
}
