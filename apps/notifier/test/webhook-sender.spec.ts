import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { TargetCheck } from '../src/address/check-target';
import { WebhookSender, type CheckTarget } from '../src/delivery/webhook-sender';
import { isSignedWith, Receiver } from './receiver';
import { allow, allowed, request, secret } from './webhook-request';

/** A receiver that speaks its own HTTP. */
async function rawReceiver(
  reply: (socket: Socket) => void,
): Promise<{ url: string; server: Server; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.once('data', () => reply(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/`, server, sockets };
}

let receiver: Receiver;
let sender: WebhookSender;
let raw: Awaited<ReturnType<typeof rawReceiver>> | undefined;
beforeEach(async () => {
  receiver = await Receiver.start();
  sender = new WebhookSender({ checkTarget: allow, timeoutMs: 10_000 });
});
afterEach(async () => {
  await sender.close();
  await receiver.stop();
  for (const socket of raw?.sockets ?? []) socket.destroy();
  raw?.server.close();
  raw = undefined;
});

async function use(options: { checkTarget?: CheckTarget; timeoutMs?: number }): Promise<void> {
  await sender.close();
  sender = new WebhookSender({ checkTarget: allow, timeoutMs: 10_000, ...options });
}

describe('a webhook as its receiver gets it', () => {
  it('when it is sent, then the exact bytes arrive, signed and named', async () => {
    const result = await sender.send(request(receiver.url('/hook?a=1&b=%20')));
    expect(result).toEqual({ responseStatus: 200, durationMs: expect.any(Number), errorSummary: null });
    const [received] = receiver.received;
    expect(received?.path).toBe('/hook?a=1&b=%20');
    expect(received?.body.toString()).toBe('{"a":"ü"}');
    expect(isSignedWith(secret, received!)).toBe(true);
    expect(received?.headers).toMatchObject({
      host: `127.0.0.1:${receiver.port}`,
      'content-type': 'application/json',
      'x-service-event-id': 'e-1',
      'x-service-event-type': 'order.completed',
      'x-service-signature': expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
      'x-service-timestamp': expect.stringMatching(/^\d{10}$/),
      'user-agent': expect.stringContaining('Webhooks'),
    });
    expect(received?.headers).not.toHaveProperty('x-service-test');
  });

  it('when it is a test, then it says so', async () => {
    await sender.send(request(receiver.url(), { isTest: true }));
    expect(receiver.received[0]?.headers['x-service-test']).toBe('true');
  });

  it('when the environment names a proxy, then nothing goes through it', async () => {
    const before = { ...process.env };
    const proxy = await Receiver.start();
    Object.assign(process.env, {
      HTTP_PROXY: proxy.url(''),
      http_proxy: proxy.url(''),
      NODE_USE_ENV_PROXY: '1',
    });
    await use({});
    try {
      expect(await sender.send(request(receiver.url()))).toMatchObject({ responseStatus: 200 });
      expect(proxy.received).toHaveLength(0);
    } finally {
      process.env = before;
      await proxy.stop();
    }
  });
});

describe('what a response means', () => {
  it.each([
    [200, null],
    [204, null],
    [299, null],
    [302, 'Delivery failed'],
    [400, 'Delivery failed'],
    [410, 'Delivery failed'],
    [503, 'Delivery failed'],
  ])('when the status is %i, then the summary is %s', async (status, errorSummary) => {
    receiver.behaviour = (_received, response) => void response.writeHead(status).end();
    expect(await sender.send(request(receiver.url()))).toMatchObject({
      responseStatus: status,
      errorSummary,
    });
  });

  it('when the response is a redirect to a private address, then it is not followed', async () => {
    const inside = await Receiver.start();
    receiver.behaviour = (_received, response) =>
      void response.writeHead(307, { location: inside.url('/latest/meta-data') }).end();
    expect(await sender.send(request(receiver.url()))).toMatchObject({ errorSummary: 'Delivery failed' });
    expect(inside.received).toHaveLength(0);
    await inside.stop();
  });

  it('when the body never ends, then the 2xx stands and the connection is cut', async () => {
    receiver.behaviour = (_received, response) => {
      response.writeHead(200).write('a');
    };
    expect(await sender.send(request(receiver.url()))).toMatchObject({
      responseStatus: 200,
      errorSummary: null,
    });
    await eventually(() => expect(receiver.connections).toBe(0));
  });

  it('when the body is endless and fast, then no more than a little of it is taken', async () => {
    let taken = 0;
    receiver.behaviour = (_received, response, socket) => {
      const chunk = Buffer.alloc(65_536);
      const pour = (): void => {
        while (!response.destroyed && response.write(chunk)) taken += chunk.length;
        taken = socket.bytesWritten;
      };
      response.on('drain', pour);
      pour();
    };
    expect(await sender.send(request(receiver.url()))).toMatchObject({
      responseStatus: 200,
      errorSummary: null,
    });
    await eventually(() => expect(receiver.connections).toBe(0));
    // What fits into the kernel's buffers between the two, and not much more.
    expect(taken).toBeLessThan(16_000_000);
  });

  it('when the body is a gzip bomb, then it is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    receiver.behaviour = (_received, response) =>
      void response.writeHead(500, { 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb);
    const before = process.memoryUsage().arrayBuffers;
    expect(await sender.send(request(receiver.url()))).toMatchObject({
      responseStatus: 500,
      errorSummary: 'Delivery failed',
    });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
  });

  it('when early hints come before the response, then the response counts', async () => {
    raw = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n');
      socket.end('HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n');
    });
    expect(await sender.send(request(raw.url))).toMatchObject({
      responseStatus: 503,
      errorSummary: 'Delivery failed',
    });
  });
});

describe('what no response means', () => {
  it('when the headers are many, then the response counts', async () => {
    raw = await rawReceiver((socket) => {
      socket.end(`HTTP/1.1 204 No Content\r\n${`x-much: ${'x'.repeat(1_000)}\r\n`.repeat(60)}\r\n`);
    });
    expect(await sender.send(request(raw.url))).toMatchObject({ responseStatus: 204, errorSummary: null });
  });

  it('when the receiver never responds, then it is a Timeout after the whole time', async () => {
    await use({ timeoutMs: 300 });
    receiver.behaviour = () => undefined;
    const result = await sender.send(request(receiver.url()));
    expect(result).toMatchObject({ responseStatus: null, errorSummary: 'Timeout' });
    expect(result.durationMs).toBeGreaterThanOrEqual(299);
    await eventually(() => expect(receiver.connections).toBe(0));
  });

  it('when headers keep trickling in, then it is a Timeout all the same', async () => {
    await use({ timeoutMs: 300 });
    raw = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-slow: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await sender.send(request(raw.url))).toMatchObject({
      responseStatus: null,
      errorSummary: 'Timeout',
    });
    await eventually(() => expect(raw?.sockets.size).toBe(0));
  });

  it('when the look-up takes the whole time, then it is a Timeout and nothing is sent later', async () => {
    let reply: ((check: TargetCheck) => void) | undefined;
    await use({ timeoutMs: 100, checkTarget: () => new Promise((resolve) => (reply = resolve)) });
    expect(await sender.send(request(receiver.url()))).toMatchObject({ errorSummary: 'Timeout' });
    reply?.(allowed(new URL(receiver.url()), ['127.0.0.1']));
    await use({});
    await sender.send(request(receiver.url('/second')));
    expect(receiver.received.map(({ path }) => path)).toEqual(['/second']);
  });

  it('when connecting takes the whole time, then it is a Timeout', async () => {
    // Reserved for tests of networks (RFC 5737): nobody responds there. Some networks refuse at once instead.
    await use({
      timeoutMs: 200,
      checkTarget: (text) => Promise.resolve(allowed(new URL(text), ['192.0.2.1'])),
    });
    const { responseStatus, errorSummary } = await sender.send(request('http://nobody.example/'));
    expect(responseStatus).toBeNull();
    expect(['Timeout', 'Connection failed']).toContain(errorSummary);
  });

  it.each([
    ['closes', (socket: Socket) => void socket.end()],
    ['resets', (socket: Socket) => void socket.resetAndDestroy()],
    ['speaks no HTTP', (socket: Socket) => void socket.end('SSH-2.0-x\r\n')],
    ['breaks off after early hints', (socket: Socket) => void socket.end('HTTP/1.1 103 Early Hints\r\n\r\n')],
    ['breaks off within the headers', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-le')],
    [
      'sends headers without end',
      (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(40_000)}`),
    ],
  ])('when the receiver %s, then the connection failed', async (_name, reply) => {
    raw = await rawReceiver(reply);
    expect(await sender.send(request(raw.url))).toMatchObject({
      responseStatus: null,
      errorSummary: 'Connection failed',
    });
  });

  it('when nobody listens, or TLS fails, then the connection failed', async () => {
    const { port } = receiver;
    expect(await sender.send(request(`https://127.0.0.1:${port}/`))).toMatchObject({
      responseStatus: null,
      errorSummary: 'Connection failed',
    });
    await receiver.stop();
    expect(await sender.send(request(`http://127.0.0.1:${port}/`))).toMatchObject({
      responseStatus: null,
      errorSummary: 'Connection failed',
    });
    receiver = await Receiver.start();
  });

  it.each([
    ['rejected', 'Destination rejected'],
    ['unresolvable', 'Connection failed'],
  ] as const)(
    'when the destination is %s, then the summary is %s and nothing is sent',
    async (outcome, errorSummary) => {
      await use({ checkTarget: () => Promise.resolve({ outcome }) });
      expect(await sender.send(request(receiver.url()))).toMatchObject({
        responseStatus: null,
        errorSummary,
      });
      expect(receiver.received).toHaveLength(0);
    },
  );
});

describe('connections of a sender', () => {
  it('when many go to one receiver one after the other, then connections are kept', async () => {
    const sockets = new Set<Socket>();
    receiver.behaviour = (_received, response, socket) => void (sockets.add(socket), response.end());
    for (let i = 0; i < 20; i += 1) await sender.send(request(receiver.url()));
    expect(receiver.received).toHaveLength(20);
    // One, unless the machine stands still for longer than a connection is kept.
    expect(sockets.size).toBeLessThan(10);
  });

  it('when eight hang, then a test still goes out at once', async () => {
    receiver.behaviour = (received, response) => {
      if (received.headers['x-service-test']) response.end();
    };
    for (let i = 0; i < 8; i += 1) void sender.send(request(receiver.url()));
    await eventually(() => expect(receiver.received).toHaveLength(8));
    expect(await sender.send(request(receiver.url(), { isTest: true }))).toMatchObject({
      responseStatus: 200,
    });
  });
});
