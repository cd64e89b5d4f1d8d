import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { connect, type Socket } from 'node:net';
import { z } from 'zod';
import { expectFile, readJsonBody, receiveFile, type EdgeRoute } from '../src';
import { startEdge, type RunningEdge } from './start-edge';

const KIB = 1024;
const routes: EdgeRoute[] = [
  { method: 'GET', path: '/v1/slow' },
  { method: 'POST', path: '/v1/none' },
  { method: 'POST', path: '/v1/things', body: z.strictObject({ text: z.string() }) },
  { method: 'POST', path: '/v1/files' },
];

let edge: RunningEdge | undefined;
let accepted: Socket | undefined;
let goOn: () => void = () => undefined;
let sender: Socket | undefined;

afterEach(() => {
  sender?.destroy();
  edge?.close();
});

/** An edge that says how long a body is, and has no response to what is slow until it may go on. */
async function listen(): Promise<number> {
  const held = new Promise<void>((resolve) => (goOn = resolve));
  edge = await startEdge({
    routes,
    turnAway: ({ request }) => (request.headers['x-crowd'] ? 1 : undefined),
    async run(exchange, { route }) {
      if (route.path === '/v1/files') {
        expectFile(exchange, { type: 'text/csv', limitBytes: KIB * KIB });
        return (await receiveFile(exchange.request)).bytes;
      }
      if (route.body) return String((await readJsonBody(exchange.request))['text']).length;
      if (route.path === '/v1/slow') await held;
      return route.path;
    },
  });
  edge.server.on('connection', (socket) => (accepted = socket));
  return edge.port;
}

const SLOW = 'GET /v1/slow HTTP/1.1\r\nHost: a\r\n\r\n';
const head = (path: string, type: string, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${more}\r\n\r\n`;
const withLength = (path: string, type: string, body: string, more = ''): string =>
  `${head(path, type, `${more}Content-Length: ${body.length}`)}${body}`;
const json = (length: number): string => `{"text":"${'x'.repeat(length)}"}`;
const thing = (length: number, more = ''): string =>
  withLength('/v1/things', 'application/json', json(length), more);
const inBytes = (body: string): string =>
  `${head('/v1/things', 'application/json', 'Transfer-Encoding: chunked')}${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`;

/** Sends what is slow and then the rest, together or each by itself; the payloads that have come back. */
async function sendBehindSlow(port: number, requests: string[], each = false): Promise<() => string[]> {
  const socket = (sender = connect(port, '127.0.0.1'));
  let replies = '';
  socket.on('data', (chunk) => (replies += chunk.toString('latin1')));
  if (!each) socket.write(SLOW + requests.join(''));
  else {
    socket.setNoDelay();
    socket.write(SLOW);
    for (const request of requests) {
      const before = accepted?.bytesRead ?? 0;
      socket.write(request);
      // Read at once, or not at all while its turn has not come.
      for (let turn = 0; turn < 50 && (accepted?.bytesRead ?? 0) - before < request.length; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return () => replies.match(/(?<="payload":)[^,}]+/g) ?? [];
}

describe('a request with a body that is sent ahead', () => {
  it.each([
    ['together', false],
    ['one by one', true],
  ])(
    'when many are sent %s, then of none more is read than came with it, until its turn comes, and each gets its response',
    async (_how, each) => {
      const port = await listen();
      const payloads = await sendBehindSlow(port, Array<string>(50).fill(thing(40 * KIB)), each);
      await eventually(async () => expect(accepted?.bytesRead).toBeGreaterThan(SLOW.length));
      for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
      expect(accepted?.bytesRead).toBeLessThan(3 * 64 * KIB);
      goOn();
      await eventually(async () => expect(payloads()).toHaveLength(51));
      expect(payloads().slice(1)).toEqual(Array<string>(50).fill(String(40 * KIB)));
    },
  );

  it('when it brings a file, then the file is whole', async () => {
    const port = await listen();
    const files = [10, 300 * KIB].map((length) => withLength('/v1/files', 'text/csv', 'x'.repeat(length)));
    const payloads = await sendBehindSlow(port, files);
    await eventually(async () => expect(accepted?.bytesRead).toBeGreaterThan(SLOW.length));
    goOn();
    await eventually(async () => expect(payloads()).toEqual(['"/v1/slow"', '10', String(300 * KIB)]));
  });

  it('when it is in chunks of a byte, turned away, or read by no route, then the next one is served', async () => {
    const port = await listen();
    const requests = [
      inBytes(json(30_000)),
      thing(10, 'X-Crowd: 1\r\n'),
      thing(50 * KIB, 'X-Crowd: 1\r\n'),
      withLength('/v1/none', 'text/plain', 'x'.repeat(10)),
      withLength('/v1/none', 'text/plain', 'x'.repeat(200 * KIB)),
      thing(7),
    ];
    const payloads = await sendBehindSlow(port, requests);
    await eventually(async () => expect(accepted?.bytesRead).toBeGreaterThan(SLOW.length));
    goOn();
    const outcomes = ['"/v1/slow"', '30000', 'null', 'null', '"/v1/none"', '"/v1/none"', '7'];
    await eventually(async () => expect(payloads()).toEqual(outcomes));
  });
});
