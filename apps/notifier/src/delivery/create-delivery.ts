import { DeliveryOperationsServiceService } from '@reseller/contracts';
import {
  KeyedCalls,
  observeBacklogs,
  readFromReplica,
  transactionAges,
  withTransaction,
  type Replica,
} from '@reseller/database';
import type { RpcService } from '@reseller/rpc';
import type { Job, Logger, Stoppable } from '@reseller/service-kit';
import { bulkhead } from 'cockatiel';
import type { Pool } from 'pg';
import type { Registry } from 'prom-client';
import { webhookBacklogs } from '../backlog/backlogs';
import type { FeedMove } from '../feed/feed-moves';
import { PartnerRepository } from '../partner/partner.repository';
import type { WebhookEvent } from '../event/domain/webhook-event';
import type { OpenSecret } from '../subscription/remember-secrets';
import type { SubscriptionRepository } from '../subscription/subscription.repository';
import { DeliveryCountRepository } from './delivery-count.repository';
import { DeliveryMetrics } from './delivery-metrics';
import { DeliveryQueueRepository } from './delivery-queue.repository';
import { DeliveryRepository } from './delivery.repository';
import { createDeliveryHandlers, createDeliveryOperations, type DeliveryHandlers } from './delivery.handler';
import { DeliveryWorker, type WorkerSettings } from './delivery-worker';
import { createCountFolding, createHousekeeping, DAYS_AHEAD } from './housekeeping';
import { PartitionRepository } from './partition.repository';
import { addWebhookEvents } from './webhook-event.repository';
import { WebhookSender, type CheckTarget } from './webhook-sender';

/** What delivering is wired from. */
export interface DeliveryDeps {
  pool: Pool;
  replica?: Replica | undefined;
  subscriptions: SubscriptionRepository;
  checkTarget: CheckTarget;
  openSecret: OpenSecret;
  settings: WorkerSettings & { timeoutMs: number };
  /** For how long the feed keeps events; 30 days when absent. */
  eventRetentionMs?: number;
  /** Whether deliveries and events past their time wait for the archive; not when absent. */
  isArchived?: boolean;
  /** Is called with the feeds that got something, after the transaction. */
  onMoved?: (moves: readonly FeedMove[]) => void;
  log: Logger;
  metrics?: Registry | undefined;
}

/** The delivering half of notifier. */
export interface DeliveryFeature {
  worker: DeliveryWorker;
  /** Makes every request to a receiver; closed by `consumer`. */
  sender: WebhookSender;
  handlers: DeliveryHandlers;
  operations: RpcService;
  jobs: Job[];
  /** Makes the partitions that a new database lacks; before the first event is taken in. */
  prepare(): Promise<void>;
  /** To be stopped before the pool ends. */
  consumer: Stoppable;
  /** Stores events with their deliveries, in one transaction, and starts sending them. */
  record(events: readonly WebhookEvent[]): Promise<void>;
}

/** Wires sending, recording, reading and housekeeping of deliveries to one database; `worker.start()` begins to send. */
export function createDelivery(deps: DeliveryDeps): DeliveryFeature {
  const { pool, subscriptions, checkTarget, openSecret, settings, log, metrics: registry, onMoved } = deps;
  const partitions = new PartitionRepository(pool, log, deps.eventRetentionMs, deps.isArchived);
  const queue = new DeliveryQueueRepository(pool);
  const deliveries = new DeliveryRepository(pool);
  const partners = new PartnerRepository(pool);
  const sender = new WebhookSender({ checkTarget, timeoutMs: settings.timeoutMs });
  const metrics = registry && new DeliveryMetrics(registry, { inFlight: () => worker.inFlight });
  if (registry)
    observeBacklogs({ pool, metrics: registry, log }, [transactionAges, ...webhookBacklogs(settings)]);
  const worker: DeliveryWorker = new DeliveryWorker({ queue, sender, openSecret, settings, log, metrics });
  const wake = (): void => worker.wake();
  const keyed = new KeyedCalls<DeliveryRepository>({
    db: pool,
    deps: deliveries,
    within: (work) => withTransaction(pool, (tx) => work(tx, new DeliveryRepository(tx))),
  });
  // Every partition takes in at once, and all may wait for the same feed; attempts and calls need connections meanwhile.
  const intake = bulkhead(Math.ceil(pool.options.max / 2), Infinity);
  return {
    worker,
    sender,
    handlers: createDeliveryHandlers({ subscriptions, deliveries, sender, openSecret, wake, keyed }),
    operations: readFromReplica(
      DeliveryOperationsServiceService,
      createDeliveryOperations({ subscriptions, deliveries, partners, wake }),
      deps.replica,
      (replica) =>
        createDeliveryOperations({
          subscriptions,
          deliveries: new DeliveryRepository(replica),
          partners,
          wake,
        }),
    ),
    jobs: [
      createHousekeeping(partitions, log, registry),
      createCountFolding(new DeliveryCountRepository(pool), log, registry),
    ],
    prepare: () => partitions.make(DAYS_AHEAD),
    consumer: {
      async stop() {
        await worker.stop();
        await sender.close();
      },
    },
    async record(events) {
      const { deliveries: made, moves } = await intake.execute(() => addWebhookEvents(pool, events));
      if (made > 0) wake();
      onMoved?.(moves);
    },
  };
}
