import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { eventually, silentLog } from '@reseller/testing';
import { Registry } from 'prom-client';
import { VendorNotAcceptedError, VendorUnreachableError, type VendorOrder } from '../domain/vendor';
import { ACTIVATION_SHAPES } from '../../../products/esim/domain/activation';
import { createHttpVendor } from './http-vendor';
import { createVendorMetrics } from './vendor-metrics';

let server: Server;
let vendor: ReturnType<typeof createHttpVendor>;
let metrics: Registry;
let behave: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeEach(async () => {
  seen.length = 0;
  hasLease = true;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      behave(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vendor = make(url());
});

const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
/** No response is given up, however busy the machine is, but where a test has one never come. */
function make(url: string, breaker = { faults: 3, openMs: 60_000 }, timeoutMs = 60_000): typeof vendor {
  metrics = new Registry();
  const times = { timeoutMs, connectTimeoutMs: timeoutMs / 2 };
  const settings = { name: 'acme', url, apiKey: 'key-1', times, breaker, deliveryShapes: ACTIVATION_SHAPES };
  return createHttpVendor(settings, { metrics: createVendorMetrics(metrics), log: silentLog });
}
afterEach(async () => {
  await vendor.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const order: VendorOrder = {
  product: 'Topup',
  orderGlobalId: 'TU-1',
  geoScopeGlobalId: 'GEO-SA',
  item: { phoneNumber: '+966500000001' },
  amount: '10.00',
  currency: 'SAR',
};
const { signal } = new AbortController();
let hasLease = true;
const isHeld = (): boolean => hasLease;
const submit = () => vendor.submit(order, { idempotencyKey: 'TU-1', signal, isHeld });
const say = (status: number, body: unknown): void => {
  behave = (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
};

describe('a vendor over HTTP', () => {
  it('when an order is submitted, then it goes out under its key with the api key', async () => {
    say(200, { status: 'success', vendorOrderId: 'V-1', reason: null });
    expect(await submit()).toEqual({ kind: 'success', vendorOrderId: 'V-1', delivery: {} });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      url: '/v1/orders',
      headers: {
        authorization: 'Bearer key-1',
        'idempotency-key': 'TU-1',
        'content-type': 'application/json',
      },
    });
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      product: 'Topup',
      phoneNumber: '+966500000001',
      amount: '10.00',
      currency: 'SAR',
    });
  });

  it.each([
    [
      { status: 'refused', vendorOrderId: 'V-1', reason: 'No.' },
      { kind: 'refused', reason: 'No.' },
    ],
    [
      { status: 'refused', vendorOrderId: 'V\0\uD83D', reason: `No.\0${'x'.repeat(495)}\u{1F600}` },
      { kind: 'refused', vendorOrderId: 'V\uFFFD\uFFFD', reason: `No.\uFFFD${'x'.repeat(495)}\uFFFD` },
    ],
    [{ status: 'pending', vendorOrderId: null, reason: null }, { kind: 'pending' }],
    [{ status: 'unknown', vendorOrderId: 'V-1' }, { kind: 'unknown' }],
  ])('when it returns %j, then that is its outcome', async (body, expected) => {
    say(200, body);
    expect(await submit()).toMatchObject(expected);
    expect(await vendor.inquire('TU/1', { signal })).toMatchObject(expected);
    expect(seen[1]).toMatchObject({ method: 'GET', url: '/v1/orders/TU%2F1' });
  });

  it('when an eSIM is delivered, or its vendor is unsure, then its activation data come along', async () => {
    const activation = {
      iccid: '8996699000000000007',
      smdpAddress: 'smdp.example',
      activationCode: 'LPA:1$smdp.example$CODE',
      matchingId: 'CODE',
      planDetails: 'Plan',
    };
    const { smdpAddress: _, ...known } = activation;
    const esim: VendorOrder = {
      ...order,
      product: 'Esim',
      item: { email: 'traveller@example.com', productSku: 'ESIM-1' },
    };
    for (const status of ['success', 'unknown']) {
      say(200, { status, vendorOrderId: 'V-1', activation });
      const outcome = await vendor.submit(esim, { idempotencyKey: 'ES-1', signal, isHeld });
      expect(outcome).toEqual({ kind: status, vendorOrderId: 'V-1', delivery: { activation: known } });
    }
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      product: 'Esim',
      email: 'traveller@example.com',
      productSku: 'ESIM-1',
      amount: '10.00',
      currency: 'SAR',
    });
  });

  it('when an inquiry gets ORDER_NOT_FOUND, then the vendor never took the key; any other 404 says nothing', async () => {
    say(404, { error: { code: 'ORDER_NOT_FOUND', message: 'Unknown.' } });
    expect(await vendor.inquire('TU-1', { signal })).toEqual({ kind: 'not-found' });
    say(404, '<html>');
    await expect(vendor.inquire('TU-1', { signal })).rejects.toBeInstanceOf(VendorUnreachableError);
  });

  it.each([
    [500, {}],
    [503, 'busy'],
    [401, {}],
    [404, {}],
    [200, 'not json'],
    [200, { status: 'Perhaps' }],
    [200, { status: 'success', vendorOrderId: 'V'.repeat(201) }],
    [200, { status: 'success', vendorOrderId: 'V-1', activation: { iccid: '1' } }],
  ])('when a submission gets %i %j, then nobody can tell what happened', async (status, body) => {
    say(status, body);
    await expect(submit()).rejects.toBeInstanceOf(VendorUnreachableError);
  });

  it.each<[string, typeof behave]>([
    ['drops the connection', (request) => request.socket.destroy()],
    ['breaks off in its response', (_, response) => cutOff(response)],
    ['never responds', () => undefined],
    ['begins a response that never ends', (_, response) => void response.writeHead(200).write('{')],
    ['answers without end', (_, response) => pour(response)],
  ])('when it %s, then nobody can tell what happened', async (_, behaviour) => {
    await vendor.close();
    vendor = make(url(), undefined, 2_000);
    behave = behaviour;
    await uncertain(submit());
    expect(seen).toHaveLength(1);
  });

  it('when the caller gives up, then nobody can tell what happened', async () => {
    const controller = new AbortController();
    behave = () => controller.abort();
    await uncertain(vendor.submit(order, { idempotencyKey: 'TU-1', signal: controller.signal, isHeld }));
  });
});

describe('a vendor that certainly took nothing', () => {
  it.each([400, 401, 429, 503])('when it says so with a %i, then that is certain', async (status) => {
    say(status, { error: { code: 'UNAVAILABLE', message: 'Busy.', taken: false } });
    await expect(submit()).rejects.toBeInstanceOf(VendorNotAcceptedError);
  });

  it.each([
    [200, { error: { taken: false } }],
    [503, { taken: false }],
    [503, { error: { taken: true } }],
    [503, { error: { taken: 'false' } }],
  ])('when it returns %i %j, then that says nothing', async (status, body) => {
    say(status, body);
    await uncertain(submit());
  });

  it('when nobody listens, there is no such host, or the call is over before it began, then nothing was sent', async () => {
    const free = createServer();
    await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve));
    const { port } = free.address() as AddressInfo;
    await new Promise((resolve) => free.close(resolve));
    for (const url of [`http://127.0.0.1:${port}`, 'http://vendor.invalid']) {
      const nobody = make(url);
      const submission = nobody.submit(order, { idempotencyKey: 'TU-1', signal, isHeld });
      await expect(submission).rejects.toBeInstanceOf(VendorNotAcceptedError);
      await uncertain(nobody.inquire('TU-1', { signal }));
      await nobody.close();
    }
    const over = vendor.submit(order, { idempotencyKey: 'TU-1', signal: AbortSignal.abort(), isHeld });
    await expect(over).rejects.toBeInstanceOf(VendorNotAcceptedError);
    expect(seen).toHaveLength(0);
  });

  it('when it takes the connection but never the handshake, then nothing was sent', async () => {
    const sockets: Socket[] = [];
    const mute = createTcpServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const deaf = make(`https://127.0.0.1:${port}`, undefined, 1_000);
    const submission = deaf.submit(order, { idempotencyKey: 'TU-1', signal, isHeld });
    await expect(submission).rejects.toBeInstanceOf(VendorNotAcceptedError);
    await deaf.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
  });
});

describe('the circuit breaker of a vendor', () => {
  const stateIs = async (state: number) =>
    expect(await metrics.metrics()).toContain(`vendor_breaker_state{vendor="acme"} ${state}\n`);
  const fail = async (times: number) => {
    for (let i = 0; i < times; i += 1) await uncertain(submit());
  };

  it('when faults come in a row, then it opens: nothing is sent, and that is certain', async () => {
    say(500, {});
    await fail(2);
    await stateIs(0);
    await fail(1);
    await stateIs(2);
    await expect(submit()).rejects.toBeInstanceOf(VendorNotAcceptedError);
    await uncertain(vendor.inquire('TU-1', { signal }));
    expect(seen).toHaveLength(3);
    expect(await metrics.metrics()).toContain(
      'vendor_breaker_transitions_total{vendor="acme",to="open"} 1\n',
    );
  });

  it('when it responds between them, then they are not in a row', async () => {
    for (let round = 0; round < 3; round += 1) {
      say(500, {});
      await fail(2);
      say(200, { status: 'refused', vendorOrderId: null, reason: 'No.' });
      expect(await submit()).toMatchObject({ kind: 'refused' });
    }
    await stateIs(0);
  });

  it('when it refuses, finds requests unfit, says that it took nothing, or callers give up, then those are no faults', async () => {
    const replies: [number, unknown][] = [
      [200, { status: 'refused', vendorOrderId: null, reason: 'No.' }],
      [400, {}],
      [409, {}],
      [503, { error: { taken: false } }],
    ];
    for (const [status, body] of replies) {
      say(status, body);
      for (let i = 0; i < 4; i += 1) await submit().catch(() => undefined);
    }
    for (let i = 0; i < 4; i += 1) {
      const controller = new AbortController();
      behave = () => controller.abort();
      await uncertain(vendor.submit(order, { idempotencyKey: 'TU-1', signal: controller.signal, isHeld }));
    }
    await stateIs(0);
  });

  it('when its time is up, then a question tries the vendor out, one at a time, and orders go through when it is answered', async () => {
    await vendor.close();
    vendor = make(url(), { faults: 1, openMs: 1 });
    behave = (request) => request.socket.destroy();
    await fail(1);
    await stateIs(2);
    // The question fails: the order was not sent, which is certain.
    await eventually(async () => {
      await expect(submit()).rejects.toBeInstanceOf(VendorNotAcceptedError);
      expect(seen.filter(({ method }) => method === 'GET').length).toBeGreaterThan(0);
    });
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await stateIs(2);
    // It is asked, and while it thinks nobody else is let through.
    let sendReply: (() => void) | undefined;
    behave = (request, response) => {
      const isQuestion = request.method === 'GET';
      const body = isQuestion
        ? { error: { code: 'ORDER_NOT_FOUND' } }
        : { status: 'success', vendorOrderId: 'V-1', reason: null };
      const send = () => void response.writeHead(isQuestion ? 404 : 200).end(JSON.stringify(body));
      if (isQuestion) sendReply = send;
      else send();
    };
    const tries: Promise<unknown>[] = [];
    await eventually(() => {
      tries.push(submit().catch(() => undefined));
      return eventually(() => expect(sendReply).toBeDefined(), { timeoutMs: 50 });
    });
    await stateIs(1);
    await expect(submit()).rejects.toBeInstanceOf(VendorNotAcceptedError);
    sendReply!();
    expect(await Promise.all(tries)).toContainEqual(expect.objectContaining({ kind: 'success' }));
    await stateIs(0);
    expect(await submit()).toMatchObject({ kind: 'success' });
    expect(seen.at(-1)?.method).toBe('POST');
  });

  it('when the inquiry already returns the outcome, then the order is not sent again', async () => {
    await vendor.close();
    vendor = make(url(), { faults: 1, openMs: 1 });
    behave = (request) => request.socket.destroy();
    await fail(1);
    say(200, { status: 'success', vendorOrderId: 'V-1', reason: null });
    await eventually(async () => expect(await submit()).toMatchObject({ kind: 'success' }));
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it('when the lease runs out during the inquiry, then the order is not sent, and the vendor is not at fault', async () => {
    await vendor.close();
    vendor = make(url(), { faults: 1, openMs: 1 });
    behave = (request) => request.socket.destroy();
    await fail(1);
    behave = (_, response) => {
      hasLease = false;
      response.writeHead(404).end(JSON.stringify({ error: { code: 'ORDER_NOT_FOUND' } }));
    };
    await eventually(async () => {
      await submit().catch(() => undefined);
      expect(hasLease).toBe(false);
    });
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    await stateIs(0);
  });
});

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '100' });
  response.write('{"status":', () => response.destroy());
}

function pour(response: ServerResponse): void {
  const more = (): void => {
    if (response.destroyed) return;
    if (response.write(' '.repeat(16_384))) setImmediate(more);
    else response.once('drain', more);
  };
  response.writeHead(200);
  more();
}

async function uncertain(call: Promise<unknown>): Promise<void> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(VendorUnreachableError);
  expect(error).not.toBeInstanceOf(VendorNotAcceptedError);
}
