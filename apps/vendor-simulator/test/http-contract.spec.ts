import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually, samplesFor } from '@reseller/testing';
import { KEY, startSimulator } from './simulator-with-callbacks';

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

let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator(read(callback).target.replace(/<.*>/, 'local-vendor'));
});
afterAll(() => simulator.stop());

/** Sends the page's request, with another key or other fields where a test needs them. */
async function send(key: string, fields: object = {}): Promise<unknown> {
  const { method, target, headers, body } = read(request);
  const sent = await fetch(`http://127.0.0.1:${simulator.service.appPort}${target}`, {
    method,
    headers: { ...headers, Authorization: `Bearer ${KEY}`, 'Idempotency-Key': key },
    body: JSON.stringify({ ...(JSON.parse(body) as object), ...fields }),
  });
  return sent.json();
}

test('when the request of the contract is sent, then the response is as the page shows', async () => {
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
  const received = await eventually(() => {
    expect(simulator.callbacks).toHaveLength(1);
    return simulator.callbacks[0]!;
  });
  const { method, url, headers } = received.request;
  const sent =
    `${method} ${url} HTTP/1.1\nVendor-Signature: ${String(headers['vendor-signature'])}\n` +
    `Content-Type: ${headers['content-type']}\n\n${received.body}\n`;
  const signature = /t=\d+,v1=[0-9a-f]{64}/;
  const shown = callback.replace(/<.*>/, 'local-vendor').replace(idempotencyKey, `${idempotencyKey}-pending`);
  expect(shown).toMatch(signature);
  expect(sent.replace(signature, '')).toBe(shown.replace(signature, ''));
});
