import { afterEach, describe, expect, it } from '@jest/globals';
import { Health } from '@reseller/service-kit';
import { eventually } from '@reseller/testing';
import type { ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { z } from 'zod';
import { readJsonBody, statusPages, StreamedPayload, type Edge, type EdgeRoute } from '../src';
import { startEdge, type RunningEdge } from './start-edge';

const LONG = 'x'.repeat(4 * 1024 * 1024);
const routes: EdgeRoute[] = [
  { method: 'POST', path: '/v1/things', body: z.strictObject({}) },
  { method: 'GET', path: '/v1/slow' },
  { method: 'GET', path: '/v1/long' },
  { method: 'GET', path: '/v1/stream' },
  { method: 'GET', path: '/v1/number/{n}', params: z.object({ n: z.string() }) },
];

let running: RunningEdge | undefined;
let started: string[] = [];
const sockets: Socket[] = [];

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  running?.close();
  started = [];
});

/** Parts until no more fits on the way to a caller that does not read, the last of which is not worth waiting for. */
async function* untilFull({ socket }: ServerResponse): AsyncGenerator<string> {
  for (; socket?.writableLength === 0; await setImmediate()) yield 'x'.repeat(8 * 1024);
}

const edge: Edge<EdgeRoute> = {
  routes,
  async run(exchange, { route }, params) {
    started.push(params['n'] ?? route.path);
    if (route.path === '/v1/slow') return new Promise(() => undefined);
    if (route.path === '/v1/stream') return StreamedPayload.open(untilFull(exchange.response), 'text/plain');
    if (route.body) await readJsonBody(exchange.request);
    return route.path === '/v1/long' ? LONG : started.length;
  },
};

async function listen(settings: Record<string, string> = {}): Promise<number> {
  running = await startEdge(edge, {
    pages: ({ metrics, log }) => statusPages(new Health(metrics, log)),
    settings,
  });
  return running.port;
}

/** A connection that reads nothing by itself and never closes its own half. */
async function open(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  sockets.push(socket);
  socket.on('error', () => undefined);
  await new Promise((resolve) => socket.once('connect', resolve));
  return socket;
}

const get = (target: string) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`;
const startOf = (method: string, target: string) =>
  `${method} ${target} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

const connectionCount = (): Promise<number> =>
  new Promise((resolve, reject) =>
    running?.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

describe('a caller that sends slowly, in small pieces or not at all (spec §14.1)', () => {
  it.each([
    ['is read', 'POST', '/v1/things'],
    ['no route reads', 'GET', '/v1/slow'],
  ])(
    'when a body that %s arrives in chunks of a byte, then it takes no more than its size',
    async (...[, method, target]) => {
      const port = await listen();
      const before = usedBytes();
      const count = 5;
      const size = 60_000;
      for (let index = 0; index < count; index += 1) {
        const socket = await open(port);
        socket.write(startOf(method, target));
        await new Promise((resolve) => socket.write('1\r\n \r\n'.repeat(size), resolve));
      }
      await eventually(async () => expect(started).toHaveLength(count));
      // The last connection's bytes have been read when a later request is served.
      await fetch(`http://127.0.0.1:${port}/healthz`);
      expect(usedBytes() - before).toBeLessThan(count * size * 10);
    },
  );

  it('when whole bodies arrive in chunks of a byte, one after the other, then each gets its response', async () => {
    const port = await listen();
    const body = `${'1\r\n \r\n'.repeat(20_000)}2\r\n{}\r\n0\r\n\r\n`;
    const responses: string[] = ['', '', '', ''];
    for (const index of responses.keys()) {
      const socket = await open(port);
      socket.on('data', (chunk) => (responses[index] += chunk.toString('latin1')));
      socket.write((startOf('POST', '/v1/things') + body).repeat(2));
    }
    await eventually(async () => {
      for (const response of responses) expect(response.match(/HTTP\/1.1 200 OK/g)).toHaveLength(2);
    });
  });

  it.each([
    ['headers', 'POST /v1/things HTTP/1.1\r\nHost'],
    ['body', `${startOf('POST', '/v1/things')}1\r\n{`],
    ['body of a refused request', `${startOf('POST', '/v1/none')}1\r\n{`],
  ])('when it stalls in its %s, then it is cut off, though it keeps its half open', async (_what, bytes) => {
    const port = await listen({ HEADERS_TIMEOUT_MS: '100', REQUEST_TIMEOUT_MS: '200' });
    const socket = await open(port);
    socket.write(bytes);
    socket.resume();
    await eventually(async () => expect(await connectionCount()).toBe(0));
  });
});

describe('a caller that does not read (spec §14.1)', () => {
  it('when it has sent many requests, then one is served, and it is cut off', async () => {
    const port = await listen({ UNREAD_RESPONSE_TIMEOUT_MS: '500' });
    const socket = await open(port);
    socket.pause();
    socket.write(get('/v1/long').repeat(50));
    await eventually(async () => expect(started).toEqual(['/v1/long']));
    expect((await fetch(`http://127.0.0.1:${port}/v1/number/1`)).status).toBe(200);
    await eventually(async () => expect(await connectionCount()).toBeLessThanOrEqual(1));
    expect(started).toEqual(['/v1/long', '1']);
  });

  it('when it leaves the end of a stream unread, then it is cut off', async () => {
    const port = await listen({ UNREAD_RESPONSE_TIMEOUT_MS: '200' });
    const socket = await open(port);
    socket.pause();
    socket.write(get('/v1/stream'));
    await eventually(async () => expect(started).toEqual(['/v1/stream']));
    await eventually(async () => expect(await connectionCount()).toBe(0));
  });

  it('when more requests wait on a connection than may, then it is closed and the others go on', async () => {
    const port = await listen();
    const socket = await open(port);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.resume();
    socket.write(get('/v1/slow') + get('/v1/number/2').repeat(500));
    socket.on('end', () => socket.end());
    await closed;
    expect(started).toEqual(['/v1/slow']);
    const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    expect(metrics).toContain('http_connections_refused_total{reason="pipelining"}');
  });

  it('when it reads after all, then it has every response, in order', async () => {
    const port = await listen();
    const socket = await open(port);
    let responses = '';
    socket.on('data', (chunk) => (responses += chunk.toString('latin1')));
    const numbers = Array.from({ length: 60 }, (_, index) => String(index));
    socket.write(numbers.map((n) => get(`/v1/number/${n}`)).join(''));
    await eventually(async () => expect(responses.match(/"payload":\d+/g)).toHaveLength(numbers.length));
    expect(started).toEqual(numbers);
    expect(responses.match(/(?<="payload":)\d+/g)).toEqual(numbers.map((n) => String(Number(n) + 1)));
  });

  it('when it has sent many requests, then another connection’s is served between them', async () => {
    const port = await listen();
    const [many, one] = [await open(port), await open(port)];
    for (const socket of [many, one]) socket.resume();
    many.write(Array.from({ length: 90 }, (_, index) => get(`/v1/number/${index}`)).join(''));
    one.write(get('/v1/number/other'));
    await eventually(async () => expect(started).toHaveLength(91));
    expect(started.indexOf('other')).toBeLessThan(60);
  });
});
