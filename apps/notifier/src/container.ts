import { serveArchive } from '@reseller/archive';
import {
  EventServiceService,
  EventWatchServiceService,
  WebhookDiagnosisServiceService,
  WebhookServiceService,
} from '@reseller/contracts';
import {
  createPool,
  createSessionPool,
  databaseAddress,
  createPrismaAdapter,
  createReplica,
  createRetentionJob,
  databaseReady,
  idempotencyKeyService,
  KeyedCalls,
  keyRetention,
  mapDatabaseOutage,
  withPrismaTransaction,
} from '@reseller/database';
import {
  createEventBus,
  deadLetterRetention,
  eventBusOptions,
  PARTNER_TOPIC,
  serveDeadLetters,
} from '@reseller/messaging';
import { defineRpc } from '@reseller/rpc';
import { SecretSeal, type Container, type ContainerDeps } from '@reseller/service-kit';
import type { Pool } from 'pg';
import { DnsHostResolver } from './address/host-resolver';
import { checkTarget } from './address/check-target';
import { archiveSources } from './archive/archive.repository';
import type { Config } from './config';
import { createDelivery, type DeliveryDeps } from './delivery/create-delivery';
import { WEBHOOK_RETENTION } from './delivery/housekeeping';
import { countGrades } from './diagnosis/count-grades';
import { createDiagnosisHandlers } from './diagnosis/diagnosis.handler';
import { DiagnosisRepository } from './diagnosis/diagnosis.repository';
import { createWebhookConsumer } from './event/domain-event.consumer';
import { SOURCE_TOPICS } from './event/domain/public-events';
import { createEventHandlers } from './feed/event.handler';
import { FeedMoves } from './feed/feed-moves';
import { FeedRepository } from './feed/feed.repository';
import { MoveChannel } from './feed/move-channel';
import { createWatchHandlers } from './feed/watch.handler';
import { PrismaClient } from './generated/prisma/client';
import { createPartnerConsumer } from './partner/partner.consumer';
import { PartnerRepository } from './partner/partner.repository';
import type { SubscriptionDeps } from './subscription/create-subscription';
import { resealSecrets } from './subscription/reseal-secrets';
import { createSubscriptionHandlers } from './subscription/subscription.handler';
import { SubscriptionRepository } from './subscription/subscription.repository';

/** Everything the running service consists of; every stored secret opens before the first call is taken. */
export async function createContainer({ config, log, metrics }: ContainerDeps<Config>): Promise<Container> {
  const address = databaseAddress(config);
  const { DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ ...address, max, name: 'notifier', log, metrics });
  const replica = createReplica(config, { max, name: 'notifier', log, metrics });
  const listening = createSessionPool({ ...address, max: 1, name: 'notifier-feeds', log, metrics });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const sources = archiveSources(pool, config.EVENT_RETENTION_MS);
  const archive = serveArchive({ service: 'notifier', pool, address, sources, log, metrics }, config);
  const disconnect = async (): Promise<void> => {
    await archive.close();
    await prisma.$disconnect();
    await pool.end();
    await listening.end();
    await replica?.close();
  };
  const subscriptions: SubscriptionDeps = {
    subscriptions: new SubscriptionRepository(prisma),
    seal: new SecretSeal('WEBHOOK_SECRET_KEYS', config.WEBHOOK_SECRET_KEYS),
    targets: { resolver: new DnsHostResolver(), allowed: config.WEBHOOK_ALLOWED_PRIVATE_TARGETS },
  };
  const moves = new FeedMoves();
  const channel = new MoveChannel({ pool, listening, moves, log });
  const receivers: Pick<DeliveryDeps, 'checkTarget' | 'openSecret'> = {
    checkTarget: (url) => checkTarget(url, subscriptions.targets),
    openSecret: (id, sealed) => subscriptions.seal.open(id, sealed),
  };
  const delivery = createDelivery({
    ...receivers,
    pool,
    replica,
    subscriptions: subscriptions.subscriptions,
    settings: deliverySettings(config),
    eventRetentionMs: config.EVENT_RETENTION_MS,
    isArchived: config.ARCHIVE_URL !== undefined,
    onMoved: (moved) => channel.publish(moved),
    log,
    metrics,
  });
  try {
    await delivery.prepare();
    const moved = await resealSecrets(subscriptions);
    if (moved > 0) log.info({ moved }, 'signing secrets were put under the first key');
  } catch (error) {
    await channel.stop();
    await disconnect();
    throw error;
  }
  const webhooks = defineRpc(WebhookServiceService, {
    ...createSubscriptionHandlers(subscriptions, keyedSubscriptions(pool, prisma, subscriptions)),
    ...delivery.handlers,
  });
  const diagnoses = defineRpc(
    WebhookDiagnosisServiceService,
    createDiagnosisHandlers({
      ...receivers,
      subscriptions: subscriptions.subscriptions,
      diagnoses: new DiagnosisRepository(pool),
      sender: delivery.sender,
      countGrade: countGrades(metrics),
    }),
  );
  const events = defineRpc(
    EventServiceService,
    createEventHandlers(new FeedRepository(pool, config.EVENT_RETENTION_MS)),
  );
  const watch = defineRpc(EventWatchServiceService, createWatchHandlers(moves));
  const bus = await createEventBus({ ...eventBusOptions(config), clientId: 'notifier', log, metrics });
  const webhookConsumer = createWebhookConsumer((events) => delivery.record(events));
  const partnerConsumer = createPartnerConsumer(new PartnerRepository(pool));
  const consumers = [webhookConsumer, partnerConsumer];
  const deadLetters = serveDeadLetters({ consumers, log, metrics }, config);
  const intake = bus.subscribe({
    ...webhookConsumer,
    topics: SOURCE_TOPICS,
    deadLetters: deadLetters.store,
  });
  const partnerIntake = bus.subscribe({
    ...partnerConsumer,
    topics: [PARTNER_TOPIC],
    deadLetters: deadLetters.store,
  });
  delivery.worker.start();
  const kept = [...WEBHOOK_RETENTION, keyRetention, deadLetterRetention(config)];
  return {
    rpc: [
      ...[webhooks, diagnoses, events, watch, delivery.operations, deadLetters.rpc],
      idempotencyKeyService(pool),
    ].map(mapDatabaseOutage),
    jobs: [
      ...delivery.jobs,
      ...archive.jobs,
      createRetentionJob(kept, { pool, log, metrics }),
      ...(replica ? [replica.job] : []),
    ],
    consumers: [intake, partnerIntake, delivery.consumer, channel],
    onDrain: () => {
      moves.end();
      // Attempts under way end while calls do: one after the other, a diagnosis and they take longer than there is.
      // Why that failed is said where its end is waited for; rejected before, it would end the process.
      delivery.worker.stop().catch(() => undefined);
    },
    ready: { database: databaseReady(pool) },
    close: async () => {
      await bus.close();
      await deadLetters.close();
      await disconnect();
    },
  };
}

/** Creates and rotations that carry an idempotency key; their responses hold secrets, and so are sealed. */
function keyedSubscriptions(
  pool: Pool,
  prisma: PrismaClient,
  { subscriptions, seal }: SubscriptionDeps,
): KeyedCalls<SubscriptionRepository> {
  return new KeyedCalls({
    db: pool,
    deps: subscriptions,
    within: (work) =>
      withPrismaTransaction(prisma, ({ prisma: tx, sql }) => work(sql, new SubscriptionRepository(tx))),
    seal,
  });
}

/** An attempt takes 10 s at most; the lease outlives it by what claiming and recording may take. */
function deliverySettings(config: Config): DeliveryDeps['settings'] {
  return {
    retry: { baseMs: config.WEBHOOK_RETRY_BASE_MS, capMs: config.WEBHOOK_RETRY_CAP_MS },
    perSubscription: 8,
    maxInFlight: config.WEBHOOK_MAX_IN_FLIGHT,
    claimBatch: 500,
    timeoutMs: 10_000,
    leaseMs: 15_000,
    pollMs: 100,
    // With the default grace of 15 s every attempt can end.
    drainMs: Math.floor((config.SHUTDOWN_GRACE_MS * 2) / 3),
    recordMs: Math.ceil(config.SHUTDOWN_GRACE_MS / 3),
  };
}
