import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  PartnerReconciliationServiceService,
  ProductType,
  type ReconcileOrdersRequest,
} from '@reseller/contracts';
import { eventually } from '@reseller/testing';
import { gzipSync } from 'node:zlib';
import { expectFaults, type GatewayResponse, useGateway } from './support/gateway';

const MIB = 1024 * 1024;
const QUERY = 'productType=Topup&fromDate=2026-01-15T00:00:00Z&toDate=2026-01-16T00:00:00Z';
const PATH = `/api/v1/reconciliations?${QUERY}`;

const gateway = useGateway();
/** The messages of each call to the service. */
let calls: ReconcileOrdersRequest[][] = [];
let held: Promise<void> | undefined;

beforeAll(() => {
  gateway.dependencies.servers.ordersSaga.on(PartnerReconciliationServiceService, {
    reconcileOrders: async (messages) => {
      const all: ReconcileOrdersRequest[] = [];
      for await (const message of messages) all.push(message);
      calls.push(all);
      await held;
      const at = new Date('2026-01-15T00:00:00Z');
      return { reconciliation: { productType: ProductType.TOPUP, fromAt: at, toAt: at, createdAt: at } };
    },
  });
});
beforeEach(() => {
  calls = [];
  held = undefined;
});

const post = (
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  headers: Record<string, string> = {},
  path = PATH,
): Promise<GatewayResponse> =>
  gateway.sendAs(gateway.token, path, {
    method: 'POST',
    body,
    headers: { 'content-type': 'text/csv', ...headers },
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
const outcome = ({ status, body }: GatewayResponse) => [status, body.state];
const fileOf = (messages: readonly ReconcileOrdersRequest[] = []): Buffer =>
  Buffer.concat(messages.map(({ filePart }) => filePart));

/** A body without a length, in pieces. */
const streamed = (bytes: Buffer, length: number): ReadableStream =>
  new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += length) controller.enqueue(bytes.subarray(at, at + length));
      controller.close();
    },
  });

describe('a route that takes a file (spec §17.4, §1.5)', () => {
  const file = Buffer.from(Array.from({ length: 300 * 1024 }, (_, n) => n % 251));

  it.each([
    ['with its length', () => new Uint8Array(file)],
    ['in chunks', () => streamed(file, 10_000)],
  ])('when it comes %s, then the service gets it in parts, with how long it is', async (_how, body) => {
    expect(outcome(await post(body()))).toEqual([200, 'SUCCESS']);
    const [messages] = calls;
    expect(fileOf(messages).equals(file)).toBe(true);
    expect(messages?.[0]).toMatchObject({
      productType: ProductType.TOPUP,
      fromAt: new Date('2026-01-15T00:00:00Z'),
      toAt: new Date('2026-01-16T00:00:00Z'),
      fileBytes: String(file.length),
    });
    expect(Math.max(...(messages ?? []).map(({ filePart }) => filePart.length))).toBeLessThanOrEqual(
      64 * 1024,
    );
  });

  it('when there is none, then the service gets an empty one', async () => {
    expect(outcome(await post(''))).toEqual([200, 'SUCCESS']);
    expect(fileOf(calls[0])).toHaveLength(0);
  });

  it('when it is as large as it may be, then it is taken; a byte more is too large, with a length or without', async () => {
    const largest = new Uint8Array(10 * MIB);
    expect(outcome(await post(largest))).toEqual([200, 'SUCCESS']);
    expect(fileOf(calls[0])).toHaveLength(10 * MIB);
    const larger = Buffer.alloc(10 * MIB + 1);
    for (const body of [new Uint8Array(larger), streamed(larger, MIB)]) {
      const refused = await post(body);
      expect(outcome(refused)).toEqual([413, 'VALIDATION_PAYLOAD_TOO_LARGE']);
      expect(refused.body.details['message']).toContain('10 MiB');
    }
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }],
    ['of another charset', { 'content-type': 'text/csv; charset=iso-8859-1' }],
    ['compressed', { 'content-encoding': 'gzip' }],
  ])('when it is %s, then it is not taken', async (_what, headers) => {
    const refused = await post(new Uint8Array(gzipSync('a,b\n')), headers);
    expect(outcome(refused)).toEqual([415, 'VALIDATION_UNSUPPORTED_MEDIA_TYPE']);
    expect(refused.body.details['message']).toContain('text/csv');
    expect(calls).toEqual([]);
  });

  it.each(['text/csv; charset=utf-8', 'TEXT/CSV', 'text/csv; header=present; charset="UTF-8"'])(
    'when it is %s, then it is taken',
    async (type) => {
      expect(outcome(await post('a', { 'content-type': type }))).toEqual([200, 'SUCCESS']);
    },
  );

  it('when the query is at fault, then each fault is named and no file is taken', async () => {
    const large = () => new Uint8Array(5 * MIB);
    expectFaults(await post(large(), {}, '/api/v1/reconciliations'), ['fromDate', 'productType', 'toDate']);
    const turned = '?productType=Scent&fromDate=2026-01-16T00:00:00Z&toDate=2026-01-16T00:00:00Z';
    expectFaults(await post(large(), {}, `/api/v1/reconciliations${turned}`), ['toDate']);
    expect(calls).toEqual([]);
  });

  it('when the token is none, then little of it is taken before that is said', async () => {
    const request = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nAuthorization: Bearer x\r\nContent-Length: ${10 * MIB}\r\n\r\n`;
    expect(await gateway.raw(`${request}${'x'.repeat(MIB)}`, 'responded')).toContain('401 Unauthorized');
    expect(calls).toEqual([]);
  });

  it('when its sender breaks off, then the service hears nothing of it', async () => {
    const request = `POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: text/csv\r\nAuthorization: Bearer ${gateway.token}\r\nContent-Length: 1000\r\n\r\na,b\n`;
    const { connect } = await import('node:net');
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write(request, () => socket.destroy());
    await new Promise((resolve) => socket.once('close', resolve));
    expect(outcome(await post('a'))).toEqual([200, 'SUCCESS']);
    expect(calls.map((messages) => fileOf(messages).toString())).toEqual(['a']);
  });

  it('when a parent acts for several below it, then its files are counted as its own', async () => {
    let goOn: () => void = () => undefined;
    held = new Promise((resolve) => (goOn = resolve));
    const act = { sub: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a12', client_id: 'parent-client' };
    const postFor = async (child: number): Promise<GatewayResponse> => {
      const sub = `019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8b0${child}`;
      const delegated = await gateway.signer.sign({ sub, path: [act.sub, sub], act });
      return gateway.sendAs(delegated, PATH, {
        method: 'POST',
        body: 'a',
        headers: { 'content-type': 'text/csv' },
      });
    };
    const three = [1, 2, 3].map(postFor);
    await eventually(() => expect(calls).toHaveLength(3));
    let isRefused = false;
    const fourth = postFor(4).finally(() => (isRefused = true));
    await eventually(() => expect(isRefused || calls.length === 4).toBe(true));
    goOn();
    expect(outcome(await fourth)).toEqual([429, 'RATE_LIMITED']);
    for (const response of await Promise.all(three)) expect(response.status).toBe(200);
  });

  it('when a caller has three under way, then a fourth is refused for a time, and another caller is not', async () => {
    let goOn: () => void = () => undefined;
    held = new Promise((resolve) => (goOn = resolve));
    const three = [1, 2, 3].map(() => post('a'));
    await eventually(() => expect(calls).toHaveLength(3));
    const fourth = await post('a');
    expect([...outcome(fourth), fourth.headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '1']);
    const other = await gateway.signer.sign({
      sub: '019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a11',
      path: ['019a2f3c-5b7e-7c41-9a6d-0d5f2f6b8a11'],
    });
    const others = gateway.sendAs(other, PATH, {
      method: 'POST',
      body: 'b',
      headers: { 'content-type': 'text/csv' },
    });
    await eventually(() => expect(calls).toHaveLength(4));
    goOn();
    for (const response of await Promise.all([...three, others])) expect(response.status).toBe(200);
    expect(outcome(await post('a'))).toEqual([200, 'SUCCESS']);
  });
});
