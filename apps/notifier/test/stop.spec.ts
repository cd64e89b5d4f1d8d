import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { WebhookDiagnosisServiceService, WebhookEventType } from '@reseller/contracts';
import { createRpcClient } from '@reseller/rpc';
import { createTestDatabase, eventually, type TestDatabase } from '@reseller/testing';
import { connect } from 'node:net';
import { Receiver } from './receiver';
import { MIGRATIONS, someCall, startNotifier } from './start-notifier';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: MIGRATIONS });
});
afterAll(() => database.drop());

const isListening = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const [host = '', port] = address.split(':');
    const socket = connect(Number(port), host);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => resolve(true)).once('connect', () => socket.destroy());
  });

/** How many claims are on their way. */
async function claims(): Promise<number> {
  const { rowCount } = await database.pool.query(
    `SELECT FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle' AND query LIKE '%webhook_claim_due%'`,
  );
  return rowCount ?? 0;
}

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
  // It takes no calls any more, and so begins no claim; one may have begun before.
  await eventually(async () =>
    expect([await isListening(notifier.address), await claims()]).toEqual([false, 0]),
  );
  await database.pool.query(
    `WITH e AS (
       INSERT INTO webhook_events (event_id, partner_id, environment, event_type, occurred_at, body)
       VALUES (uuidv7(), $2, 'sandbox', 'order.completed', now(), '{}') RETURNING event_id)
     INSERT INTO webhook_pending_deliveries (id, event_id, subscription_id, event_type)
     SELECT uuidv7(), event_id, $1, 'order.completed' FROM e`,
    [subscriptionId, call.partner.partnerId],
  );
  await stopped;
  await receiver.stop();
  await diagnosed;
  client.close();
  expect(receiver.received.filter(({ headers }) => headers['x-service-test'] === undefined)).toEqual([]);
});
