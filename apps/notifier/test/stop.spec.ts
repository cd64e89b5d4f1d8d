import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebhookDiagnosisServiceService, WebhookEventType } from '@reseller/contracts';
import { createRpcClient } from '@reseller/rpc';
import { createTestDatabase, type TestDatabase } from '@reseller/testing';
import { Receiver } from './receiver';
import { MIGRATIONS, someCall, startNotifier } from './start-notifier';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());

it('when a notifier stops while a diagnosis takes all the time there is, then it claims no more deliveries meanwhile', async () => {
  const receiver = await Receiver.start(() => undefined);
  const notifier = await startNotifier(database, {
    WEBHOOK_ALLOWED_PRIVATE_TARGETS: '127.0.0.0/8',
    SHUTDOWN_GRACE_MS: '3000',
  });
  const options = { name: 'notifier', defaultDeadlineMs: 35_000 };
  const client = createRpcClient(WebhookDiagnosisServiceService, notifier.address, options);
  const call = someCall();
  const { subscription } = await notifier.webhooks.createWebhook(
    { url: receiver.url(), eventTypes: [WebhookEventType.ORDER_COMPLETED] },
    call,
  );
  const subscriptionId = subscription?.id ?? '';
  const arrived = new Promise<void>((resolve) => (receiver.behaviour = () => resolve()));
  const diagnosed = client.diagnoseWebhook({ subscriptionId }, call).catch(() => undefined);
  await arrived;
  const stopped = notifier.stop();
  await database.pool.query(
    `WITH e AS (
       INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, body)
       VALUES (uuidv7(), $2, 'sandbox', 'order.completed', now(), '{}') RETURNING event_id)
     INSERT INTO webhook_pending_deliveries (id, event_id, subscription_id, event_type)
     SELECT uuidv7(), event_id, $1, 'order.completed' FROM e`,
    [subscriptionId, call.partner.partnerId],
  );
  await stopped;
  expect(receiver.received.filter(({ headers }) => headers['x-service-test'] === undefined)).toEqual([]);
  await receiver.stop();
  await diagnosed;
  client.close();
});
