// A webhook receiver to try on one machine: it subscribes at the local platform, prints every event that comes in, fires
// a test, and takes its subscription away when it is stopped with Ctrl-C. docs/partners/webhooks.md says how to run it.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';

const { MemoryDeduper, receiveWebhooks } = createRequire(import.meta.url)(
  '../../../dist/libs/webhook-receiver',
);

const port = Number(process.env.PORT ?? 9099);
const platform = JSON.parse(
  readFileSync(`${process.env.PLATFORM_DATA_DIR ?? '.local'}/platform.json`, 'utf8'),
);
const { sandbox } = platform.partners.find((partner) => partner.name === 'Acme').credentials;

let secret = '';
const server = createServer(
  receiveWebhooks({
    secret: () => secret,
    deduper: new MemoryDeduper(),
    handle: (event, { isTest }) => {
      console.log(`${isTest ? 'test ' : ''}${event.eventType} ${event.eventId}`);
      console.log(JSON.stringify(event.data, undefined, 2));
    },
    onError: (error) => console.error(`refused: ${error.message}`),
  }),
);
server.listen(port, '127.0.0.1', () => void start());

async function start() {
  const eventTypes = await everyEventType();
  const url = `http://127.0.0.1:${server.address().port}/webhooks`;
  const created = await call('POST', '/webhooks', { url, eventTypes });
  if (created.state !== 'CREATED') {
    console.error(`the platform refuses ${url}: ${created.state}`);
    console.error(`start it with WEBHOOK_ALLOWED_PRIVATE_TARGETS=127.0.0.1:${port} npm start`);
    process.exit(1);
  }
  secret = created.payload.secret;
  const { id } = created.payload.subscription;
  process.once('SIGINT', () => void call('DELETE', `/webhooks/${id}`).finally(() => process.exit(0)));
  console.log(`listening on ${url}; order something in Acme's sandbox, or stop with Ctrl-C`);
  const fired = await call('POST', `/webhooks/${id}/test-fire`, { eventType: 'order.completed' });
  console.log(`test-fire: ${fired.payload?.status ?? fired.state}`);
}

/** Every event there is, as the platform's own description of its API lists them. */
async function everyEventType() {
  const openapi = await (await globalThis.fetch(`${platform.gatewayUrl}/api/v1/openapi.json`)).json();
  return openapi.components.schemas.WebhookEventType.enum;
}

async function call(method, path, body) {
  const token = await request('POST', '/auth/token', sandbox);
  return request(method, path, body, { Authorization: `Bearer ${token.payload.accessToken}` });
}

async function request(method, path, body, headers = {}) {
  const response = await globalThis.fetch(`${platform.gatewayUrl}/api/v1${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: body && JSON.stringify(body),
  });
  return response.json();
}
