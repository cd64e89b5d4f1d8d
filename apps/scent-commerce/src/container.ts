import { RateServiceService } from '@reseller/contracts';
import {
  mapDatabaseOutage,
  createPool,
  createPrismaAdapter,
  observeBacklogs,
  databaseReady,
  serveReconciler,
} from '@reseller/database';
import {
  createEventBus,
  createOutboxRelay,
  eventBusOptions,
  outboxBacklog,
  pruneInbox,
} from '@reseller/messaging';
import { createRpcClient } from '@reseller/rpc';
import { createJob, type ServiceParts, type StartInput } from '@reseller/service-kit';
import { stockRiseBacklog } from './back-in-stock/back-in-stock.jobs';
import type { Config } from './config';
import { createDisplayRates } from './display-rate/display-rates';
import { PrismaClient } from './generated/prisma/client';
import { createPartnerHandler, PARTNER_CONSUMER, PARTNER_TOPIC } from './partner/partner.consumer';
import { priceLockBacklog } from './price-lock/price-lock.jobs';
import { reconciliationChecks } from './reconciliation/checks';
import { createScents } from './scents.container';

/** A caller of a read waits no longer than 2 s (spec §1.10), so no connection is worth waiting for longer. */
const ACQUIRE_TIMEOUT_MS = 1_500;
const FINANCE_DEADLINE_MS = 2_000;
const PRUNE_EVERY_MS = 3_600_000;
/** Twice as long as the bus keeps events. */
const INBOX_KEPT_HOURS = 14 * 24;

/** Everything the running service consists of. */
export async function createContainer(start: StartInput<Config>): Promise<ServiceParts> {
  const { config, log, metrics, security } = start;
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const name = 'scent-commerce';
  const pool = createPool({
    connectionString,
    max,
    name,
    log,
    metrics,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const bus = createEventBus({ ...eventBusOptions(config), clientId: name, log, metrics });
  const rateClient = createRpcClient(RateServiceService, config.FINANCE_ADDRESS, {
    name: 'finance',
    defaultDeadlineMs: FINANCE_DEADLINE_MS,
    log,
    metrics,
    security,
  });

  const scents = createScents({ config, pool, prisma, rates: createDisplayRates(rateClient), log, metrics });
  const reconciler = serveReconciler({ pool, checks: reconciliationChecks, log, metrics }, config);
  observeBacklogs({ pool, metrics, log }, [outboxBacklog, priceLockBacklog, stockRiseBacklog]);

  return {
    rpc: [...scents.rpc, reconciler.rpc].map(mapDatabaseOutage),
    jobs: [
      createJob({
        name: 'prune-inbox',
        intervalMs: PRUNE_EVERY_MS,
        run: () => pruneInbox(pool, INBOX_KEPT_HOURS).then(() => false),
        log,
        metrics,
      }),
      ...scents.jobs,
      ...reconciler.jobs,
    ],
    consumers: [
      bus.subscribe({
        group: PARTNER_CONSUMER,
        topics: [PARTNER_TOPIC],
        handler: createPartnerHandler(pool, scents.profiles),
      }),
      createOutboxRelay({ connectionString, bus, log, metrics }),
    ],
    ready: { database: databaseReady(pool) },
    close: async () => {
      rateClient.close();
      await bus.close();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
