import { RateServiceService } from '@reseller/contracts';
import {
  mapDatabaseOutage,
  createPool,
  databaseAddress,
  createPrismaAdapter,
  createRetentionJob,
  observeBacklogs,
  databaseReady,
  serveReconciler,
  transactionAges,
} from '@reseller/database';
import {
  createEventBus,
  createOutboxRelay,
  eventBusOptions,
  outboxBacklog,
  PARTNER_TOPIC,
  serveDeadLetters,
} from '@reseller/messaging';
import { createRpcClient } from '@reseller/rpc';
import type { Container, ContainerDeps } from '@reseller/service-kit';
import { stockRiseBacklog } from './back-in-stock/back-in-stock.jobs';
import type { Config } from './config';
import { createDisplayRates } from './display-rate/display-rates';
import { KnownRateRepository } from './display-rate/known-rate.repository';
import { KnownRates } from './display-rate/known-rates';
import { PrismaClient } from './generated/prisma/client';
import { createPartnerConsumer } from './partner/partner.consumer';
import { priceLockBacklog } from './price-lock/price-lock.backlog';
import { reconciliationChecks } from './reconciliation/checks';
import { retentionRules } from './retention';
import { createScents } from './scents.container';

/** A caller of a read waits no longer than 2 s (spec §1.10), so no connection is worth waiting for longer. */
const ACQUIRE_TIMEOUT_MS = 1_500;
const FINANCE_DEADLINE_MS = 2_000;

/** Everything the running service consists of. */
export async function createContainer(start: ContainerDeps<Config>): Promise<Container> {
  const { config, log, metrics, security } = start;
  const address = databaseAddress(config);
  const { DATABASE_POOL_SIZE: max } = config;
  const name = 'scent-commerce';
  const pool = createPool({
    ...address,
    max,
    name,
    log,
    metrics,
    acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
  });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const bus = await createEventBus({ ...eventBusOptions(config), clientId: name, log, metrics });
  const rateClient = createRpcClient(RateServiceService, config.FINANCE_ADDRESS, {
    name: 'finance',
    defaultDeadlineMs: FINANCE_DEADLINE_MS,
    log,
    metrics,
    security,
  });

  const known = new KnownRates({ repository: new KnownRateRepository(pool), log });
  const rates = createDisplayRates({ rates: rateClient, known, log });
  const scents = createScents({ config, pool, prisma, rates, log, metrics });
  const partnerConsumer = createPartnerConsumer(pool, scents.profiles);
  const deadLetters = serveDeadLetters({ consumers: [partnerConsumer], log, metrics }, config);
  const reconciler = serveReconciler({ pool, checks: reconciliationChecks, log, metrics }, config);
  observeBacklogs({ pool, metrics, log }, [
    outboxBacklog(),
    transactionAges,
    priceLockBacklog(config.PRICE_LOCK_RETENTION_MS),
    stockRiseBacklog,
  ]);

  return {
    rpc: [...scents.rpc, reconciler.rpc, deadLetters.rpc].map(mapDatabaseOutage),
    jobs: [
      createRetentionJob(retentionRules(config), { pool, log, metrics }),
      ...scents.jobs,
      ...reconciler.jobs,
    ],
    consumers: [
      bus.subscribe({
        ...partnerConsumer,
        topics: [PARTNER_TOPIC],
        deadLetters: deadLetters.store,
      }),
      createOutboxRelay({ ...address, writers: pool, bus, log, metrics }),
    ],
    ready: { database: databaseReady(pool) },
    close: async () => {
      rateClient.close();
      await bus.close();
      await reconciler.close();
      await deadLetters.close();
      await prisma.$disconnect();
      await pool.end();
    },
  };
}
