import { describe, expect, it } from '@jest/globals';
import { createServer, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { TOPUP, uncertain, useHttpVendor, type Behaviour } from '../../../../test/use-http-vendor';
import { VendorNotAcceptedError, VendorUnreachableError, type VendorOrder } from '../domain/vendor';

const stage = useHttpVendor();
const { make, say, seen, submit, url } = stage;
const { signal } = new AbortController();
const isHeld = (): boolean => true;

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
    expect(await stage.vendor.inquire('TU/1', { signal })).toMatchObject(expected);
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
      ...TOPUP,
      product: 'Esim',
      item: { email: 'traveller@example.com', productSku: 'ESIM-1' },
    };
    for (const status of ['success', 'unknown']) {
      say(200, { status, vendorOrderId: 'V-1', activation });
      const outcome = await stage.vendor.submit(esim, { idempotencyKey: 'ES-1', signal, isHeld });
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
    expect(await stage.vendor.inquire('TU-1', { signal })).toEqual({ kind: 'not-found' });
    say(404, '<html>');
    await expect(stage.vendor.inquire('TU-1', { signal })).rejects.toBeInstanceOf(VendorUnreachableError);
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

  it.each<[string, Behaviour]>([
    ['drops the connection', (request) => request.socket.destroy()],
    ['breaks off in its response', (_, response) => cutOff(response)],
    ['never responds', () => undefined],
    ['begins a response that never ends', (_, response) => void response.writeHead(200).write('{')],
    ['answers without end', (_, response) => pour(response)],
  ])('when it %s, then nobody can tell what happened', async (_, behaviour) => {
    await stage.vendor.close();
    stage.vendor = make(url(), undefined, 2_000);
    stage.behave = behaviour;
    await uncertain(submit());
    expect(seen).toHaveLength(1);
  });

  it('when the caller gives up, then nobody can tell what happened', async () => {
    const controller = new AbortController();
    stage.behave = () => controller.abort();
    await uncertain(submit(controller.signal));
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
      const submission = nobody.submit(TOPUP, { idempotencyKey: 'TU-1', signal, isHeld });
      await expect(submission).rejects.toBeInstanceOf(VendorNotAcceptedError);
      await uncertain(nobody.inquire('TU-1', { signal }));
      await nobody.close();
    }
    const over = submit(AbortSignal.abort());
    await expect(over).rejects.toBeInstanceOf(VendorNotAcceptedError);
    expect(seen).toHaveLength(0);
  });

  it('when it takes the connection but never the handshake, then nothing was sent', async () => {
    const sockets: Socket[] = [];
    const mute = createTcpServer((socket) => sockets.push(socket));
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const { port } = mute.address() as AddressInfo;
    const deaf = make(`https://127.0.0.1:${port}`, undefined, 1_000);
    const submission = deaf.submit(TOPUP, { idempotencyKey: 'TU-1', signal, isHeld });
    await expect(submission).rejects.toBeInstanceOf(VendorNotAcceptedError);
    await deaf.close();
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => mute.close(resolve));
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
