import { WebhookServiceService } from '@reseller/contracts';
import { answerUnavailable, createPool, createPrismaAdapter, query } from '@reseller/database';
import { AppError } from '@reseller/errors';
import { createPostgresEventBus } from '@reseller/messaging';
import { defineRpc } from '@reseller/rpc';
import type { ServiceParts, StartInput } from '@reseller/service-kit';
import { DnsHostResolver } from './address/host-resolver';
import type { Config } from './config';
import { addWebhookEvents } from './delivery/webhook-event.repository';
import { consumeDomainEvents } from './event/domain-event.consumer';
import { PrismaClient } from './generated/prisma/client';
import type { SubscriptionDeps } from './subscription/create-subscription';
import { resealSecrets } from './subscription/reseal-secrets';
import { SecretSeal } from './subscription/secret-seal';
import { createSubscriptionHandlers } from './subscription/subscription.handler';
import { SubscriptionRepository } from './subscription/subscription.repository';

/** Everything the running service consists of; every stored secret opens before the first call is taken. */
export async function createContainer({ config, log, metrics }: StartInput<Config>): Promise<ServiceParts> {
  const { DATABASE_URL: connectionString, DATABASE_POOL_SIZE: max } = config;
  const pool = createPool({ connectionString, max, name: 'notifier', log, metrics });
  const prisma = new PrismaClient({ adapter: createPrismaAdapter(pool) });
  const disconnect = async (): Promise<void> => {
    await prisma.$disconnect();
    await pool.end();
  };
  const subscriptions: SubscriptionDeps = {
    subscriptions: new SubscriptionRepository(pool, prisma),
    seal: new SecretSeal(config.WEBHOOK_SECRET_KEYS),
    guard: { resolver: new DnsHostResolver(), allowed: config.WEBHOOK_ALLOWED_PRIVATE_TARGETS },
  };
  try {
    const moved = await resealSecrets(subscriptions);
    if (moved > 0) log.info({ moved }, 'signing secrets were put under the first key');
  } catch (error) {
    await disconnect();
    throw error;
  }
  const comesLater = (): Promise<never> => Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
  const webhooks = defineRpc(WebhookServiceService, {
    ...createSubscriptionHandlers(subscriptions),
    testFireWebhook: comesLater,
    listWebhookDeliveries: comesLater,
    redeliverWebhookDelivery: comesLater,
  });
  const bus = createPostgresEventBus({ connectionString: config.EVENT_BUS_URL, log, metrics });
  const domainEvents = consumeDomainEvents(bus, { record: (events) => addWebhookEvents(pool, events), log });
  return {
    rpc: [webhooks].map(answerUnavailable),
    consumers: [domainEvents],
    ready: {
      database: async () => {
        await query(pool, { name: 'ready', text: 'SELECT 1' });
      },
    },
    close: async () => {
      await bus.close();
      await disconnect();
    },
  };
}
