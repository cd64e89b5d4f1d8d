import { describe, expect, it } from '@jest/globals';
import { WebhookEventType } from '@reseller/contracts';
import { createPrismaAdapter } from '@reseller/database';
import { SecretSeal } from '@reseller/service-kit';
import { createTestDatabase } from '@reseller/testing';
import { config } from '../src/config';
import { PrismaClient } from '../src/generated/prisma/client';
import { resealSecrets } from '../src/subscription/reseal-secrets';
import { countSecretKeyUse } from '../src/subscription/secret-key-use';
import { SubscriptionRepository } from '../src/subscription/subscription.repository';
import { MIGRATIONS, SEALING_KEY, newSealingKey, someCall, startNotifier } from './start-notifier';

// An address, so that no test needs a name server.
const subscriptionRequest = { url: 'https://8.8.8.8/hooks', eventTypes: [WebhookEventType.ORDER_COMPLETED] };

describe('the keys of secrets', () => {
  it('when a new key comes first, then all secrets are moved to it, and the old one can go', async () => {
    const own = await createTestDatabase({ migrations: MIGRATIONS });
    const next = newSealingKey('next');
    const start = async (keys: string) => (await startNotifier(own, { WEBHOOK_SECRET_KEYS: keys })).stop();
    try {
      const first = await startNotifier(own);
      await first.webhooks.createWebhook(subscriptionRequest, someCall());
      await first.stop();
      await expect(start(next)).rejects.toThrow('WEBHOOK_SECRET_KEYS has no key test');
      await expect(start(newSealingKey('test'))).rejects.toThrow('does not open');
      await start(`${next},${SEALING_KEY}`);
      const { rows } = await own.pool.query('SELECT secret_key_id FROM webhook_subscriptions');
      expect(rows).toEqual([{ secret_key_id: 'next' }]);
      await start(next);
    } finally {
      await own.drop();
    }
  });

  it('when an instance of the step before sealed after the last start, then that is counted, and a command seals it anew', async () => {
    const own = await createTestDatabase({ migrations: MIGRATIONS });
    const next = newSealingKey('next');
    const prisma = new PrismaClient({ adapter: createPrismaAdapter(own.servicePool) });
    try {
      const late = await startNotifier(own, { WEBHOOK_SECRET_KEYS: `${SEALING_KEY},${next}` });
      const keyed = { ...someCall(), idempotency: { key: 'late', fingerprint: 'late' } };
      await late.webhooks.createWebhook(subscriptionRequest, keyed);
      await late.stop();
      const needs = { keyId: 'test', keptResponses: 1 };
      expect(await countSecretKeyUse(prisma)).toEqual([{ ...needs, webhooks: 1 }]);
      const keys = config.shape.WEBHOOK_SECRET_KEYS.parse(`${next},${SEALING_KEY}`);
      const seal = new SecretSeal('WEBHOOK_SECRET_KEYS', keys);
      await resealSecrets({ subscriptions: new SubscriptionRepository(prisma), seal });
      expect(await countSecretKeyUse(prisma)).toEqual([
        { keyId: 'next', webhooks: 1, keptResponses: 0 },
        { ...needs, webhooks: 0 },
      ]);
    } finally {
      await prisma.$disconnect();
      await own.drop();
    }
  });
});
