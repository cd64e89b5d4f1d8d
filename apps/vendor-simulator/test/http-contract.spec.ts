import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runService, type RunningService } from '@reseller/service-kit';
import { createTestDatabase, eventually, samplesFor } from '@reseller/testing';
import { configSchema } from '../src/config';
import { createParts } from '../src/container';

const KEY = 'a-key-for-tests-only';
const [request, response, failure, callback] = samplesFor(__filename).map(({ code }) => code) as [
  string,
  string,
  string,
  string,
];

/** A request as it stands on the page. */
function read(text: string): {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string;
} {
  const [head = '', body = ''] = text.split('\n\n');
  const [first = '', ...lines] = head.split('\n');
  const [method = '', target = ''] = first.split(' ');
  const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
  return { method, target, headers, body: body.trim() };
}

const heard: string[] = [];
const platform = createServer((incoming, outgoing) => {
  let body = '';
  incoming.on('data', (chunk: Buffer) => (body += chunk.toString()));
  incoming.on('end', () => {
    const { 'vendor-signature': signature, 'content-type': type } = incoming.headers;
    heard.push(
      `${incoming.method} ${incoming.url} HTTP/1.1\nVendor-Signature: ${String(signature)}\nContent-Type: ${type}\n\n${body}\n`,
    );
    outgoing.writeHead(202).end();
  });
});

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: RunningService;
beforeAll(async () => {
  database = await createTestDatabase({ migrations: path.resolve(__dirname, '../prisma/migrations') });
  platform.listen(0, '127.0.0.1');
  await once(platform, 'listening');
  const { port } = platform.address() as AddressInfo;
  service = await runService(
    { name: 'vendor-simulator', config: configSchema, start: createParts },
    {
      DATABASE_URL: database.serviceUrl,
      VENDOR_API_KEY: KEY,
      VENDOR_CALLBACK_URL: `http://127.0.0.1:${port}${read(callback).target.replace(/<.*>/, 'local-vendor')}`,
      VENDOR_CALLBACK_SECRET: 'a-secret-for-callbacks',
      VENDOR_CALLBACK_AFTER_MS: '1',
      LOG_LEVEL: 'silent',
      NODE_ENV: 'test',
    },
  );
});
afterAll(async () => {
  await service?.stop();
  platform.closeAllConnections();
  platform.close();
  await database?.drop();
});

/** Sends the page's request, with another key or other fields where a test needs them. */
async function send(key: string, fields: object = {}): Promise<unknown> {
  const { method, target, headers, body } = read(request);
  const sent = await fetch(`http://127.0.0.1:${service.appPort}${target}`, {
    method,
    headers: { ...headers, Authorization: `Bearer ${KEY}`, 'Idempotency-Key': key },
    body: JSON.stringify({ ...(JSON.parse(body) as object), ...fields }),
  });
  return sent.json();
}

test('when the request of the contract is sent, then it is answered as the page shows', async () => {
  const documented = JSON.parse(response) as { idempotencyKey: string };
  expect(read(request).headers['Idempotency-Key']).toBe(documented.idempotencyKey);
  expect(await send(documented.idempotencyKey)).toEqual({ ...documented, vendorOrderId: expect.any(String) });
});

test('when a field is unfit, then the error has the form that the page shows', async () => {
  const { error } = JSON.parse(failure) as { error: { faults: { path: string }[] } };
  const faults = error.faults.map((fault) => ({ ...fault, message: expect.stringMatching(/./) }));
  expect(await send('TOP-2', { [error.faults[0]?.path ?? '']: '0' })).toEqual({
    error: { ...error, faults },
  });
});

test('when an order is decided later, then the callback has the form that the page shows', async () => {
  const { body } = read(callback);
  const { idempotencyKey } = JSON.parse(body) as { idempotencyKey: string };
  await send(`${idempotencyKey}-pending`, { phoneNumber: '+966500000003' });
  await eventually(() => expect(heard).toHaveLength(1));
  const signature = /t=\d+,v1=[0-9a-f]{64}/;
  const shown = callback.replace(/<.*>/, 'local-vendor').replace(idempotencyKey, `${idempotencyKey}-pending`);
  expect(shown).toMatch(signature);
  expect(heard[0]?.replace(signature, '')).toBe(shown.replace(signature, ''));
});
