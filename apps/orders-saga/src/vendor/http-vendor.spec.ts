import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VendorUnreachableError, type VendorOrder } from './domain/vendor';
import { createHttpVendor } from './http-vendor';

let server: Server;
let vendor: ReturnType<typeof createHttpVendor>;
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const seen: { method?: string; url?: string; headers: IncomingMessage['headers']; body: string }[] = [];

beforeEach(async () => {
  seen.length = 0;
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push({ method: request.method, url: request.url, headers: request.headers, body });
      answer(request, response, body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  vendor = createHttpVendor({ name: 'acme', url: `http://127.0.0.1:${port}/`, apiKey: 'key-1' });
});
afterEach(async () => {
  await vendor.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const order: VendorOrder = {
  product: 'Topup',
  orderGlobalId: 'TU-1',
  geoScopeGlobalId: 'GEO-SA',
  phoneNumber: '+966500000001',
  amount: '10.00',
  currency: 'SAR',
};
const { signal } = new AbortController();
const submit = () => vendor.submit(order, { idempotencyKey: 'TU-1', signal });
const say = (status: number, body: unknown): void => {
  answer = (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
};

describe('a vendor over HTTP', () => {
  it('when an order is submitted, then it goes out under its key with the api key', async () => {
    say(200, { status: 'success', vendorOrderId: 'V-1', reason: null });
    expect(await submit()).toEqual({ kind: 'success', vendorOrderId: 'V-1', activation: undefined });
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
    [{ status: 'pending', vendorOrderId: null, reason: null }, { kind: 'pending' }],
    [{ status: 'unknown', vendorOrderId: 'V-1' }, { kind: 'unknown' }],
  ])('when it answers %j, then that is its outcome', async (body, expected) => {
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
      phoneNumber: undefined,
      email: 'traveller@example.com',
      productSku: 'ESIM-1',
    };
    for (const status of ['success', 'unknown']) {
      say(200, { status, vendorOrderId: 'V-1', activation });
      const answered = await vendor.submit(esim, { idempotencyKey: 'ES-1', signal });
      expect(answered).toEqual({ kind: status, vendorOrderId: 'V-1', activation: known });
    }
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      product: 'Esim',
      email: 'traveller@example.com',
      productSku: 'ESIM-1',
      amount: '10.00',
      currency: 'SAR',
    });
  });

  it('when an inquiry is answered ORDER_NOT_FOUND, then the vendor never took the key; any other 404 says nothing', async () => {
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
    [200, { status: 'success', vendorOrderId: 'V-1', activation: { iccid: '1' } }],
  ])('when a submission is answered %i %j, then nobody can tell what happened', async (status, body) => {
    say(status, body);
    await expect(submit()).rejects.toBeInstanceOf(VendorUnreachableError);
  });

  it('when the connection drops, or time is up, then nobody can tell what happened', async () => {
    answer = (request) => request.socket.destroy();
    await expect(submit()).rejects.toBeInstanceOf(VendorUnreachableError);
    const controller = new AbortController();
    answer = () => controller.abort();
    const late = vendor.submit(order, { idempotencyKey: 'TU-1', signal: controller.signal });
    await expect(late).rejects.toBeInstanceOf(VendorUnreachableError);
  });
});
