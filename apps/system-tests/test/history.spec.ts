import { expect, test } from '@jest/globals';
import { OperatorClient } from '../src/clients/operator-client';
import type { OrderSummary, Page, WebhookWithSecret } from '../src/clients/resources';
import { readPlatformFile } from '../src/platform/platform-file';
import { reconcile } from '../src/reconcile';
import { seedHistory } from '../src/seed/seed-history';

const ORDERS = 3_000;

test('when years of orders are made with their money and deliveries, then the reconciler agrees with them, and every list shows them', async () => {
  const platform = readPlatformFile();
  const operator = new OperatorClient(platform);
  const partner = await operator.newPartner({ deposit: 0 });
  const { payload } = await partner.live.call<WebhookWithSecret>('/webhooks', {
    body: { url: 'https://receiver.example/', eventTypes: ['order.completed', 'order.failed'] },
  });
  const { databases } = platform;
  const seed = { databases, environment: 'live', days: 1_095, isWhole: true } as const;
  await seedHistory({ ...seed, partners: [[partner, ORDERS]] });

  const { compared, faults } = await reconcile(operator);
  expect(faults).toEqual([]);
  expect(compared).toBeGreaterThan(ORDERS);

  const list = <T>(path: string) => partner.live.read<Page<T>>(path);
  const orders = await list<OrderSummary>('/orders?status=Completed&pageSize=1');
  const [newest] = orders.items;
  expect(newest).toMatchObject({ status: 'Completed' });
  const lines = await list<{ referenceId: string }>('/wallet/transactions?transactionType=Debit&pageSize=1');
  expect(lines.items).toMatchObject([{ referenceId: newest?.orderGlobalId }]);
  const deliveries = await list<{ orderGlobalId: string }>(
    `/webhooks/${payload.subscription.id}/deliveries?pageSize=1`,
  );
  expect(deliveries.pagination.totalCount).toBeGreaterThan(0);
  const events = await partner.live.read<{ items: readonly unknown[] }>('/events');
  expect(events.items.length).toBeGreaterThan(0);
});
