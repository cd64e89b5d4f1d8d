import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { connect } from 'node:net';
import { z } from 'zod';
import { readJsonBody, type EdgeRoute } from '../src';
import { startEdge, type RunningEdge } from './start-edge';

const routes: EdgeRoute[] = [
  { method: 'POST', path: '/v1/orders', body: z.strictObject({}) },
  { method: 'GET', path: '/v1/next' },
];

let edge: RunningEdge | undefined;
let started: string[] = [];
let goOn: () => void = () => undefined;

afterEach(() => {
  edge?.close();
  started = [];
});

/** An edge on which an order goes on until it may end, and whose requests must arrive within so long. */
async function listen(settings: Record<string, string> = {}): Promise<number> {
  const held = new Promise<void>((resolve) => (goOn = resolve));
  edge = await startEdge(
    {
      routes,
      async run({ request }, { route }) {
        if (route.body) await readJsonBody(request);
        started.push(route.path);
        await held;
        return 'done';
      },
    },
    { settings },
  );
  return edge.port;
}

const ORDER =
  'POST /v1/orders HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n';

/** Sends an order with something behind it; what has come back, and all of it at the end. */
function send(port: number, behind: string, headers = '') {
  const socket = connect(port, '127.0.0.1');
  let replies = '';
  socket.on('data', (chunk) => (replies += chunk.toString('latin1')));
  socket.write(`${ORDER}${headers}\r\n{}${behind}`);
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(replies)));
  return { replies: () => replies, ended };
}

describe('an order that runs', () => {
  it.each([
    ['a byte too many', '}', ''],
    ['a byte too many, and no request is to follow', '}', 'Connection: close\r\n'],
    [
      'a request that waits and then what is no HTTP',
      'GET /v1/next HTTP/1.1\r\nHost: a\r\n\r\nhello\r\n\r\n',
      '',
    ],
  ])(
    'when there is %s behind it, then its own response comes, and the connection is closed',
    async (_what, behind, headers) => {
      const { ended, replies } = send(await listen(), behind, headers);
      await eventually(async () => expect(started).toEqual(['/v1/orders']));
      expect(replies()).toBe('');
      goOn();
      const response = await ended;
      expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
      expect(response).toContain('\r\nConnection: close\r\n');
      expect(response.endsWith('{"state":"SUCCESS","payload":"done"}')).toBe(true);
      expect(started).toEqual(['/v1/orders']);
    },
  );

  it('when the request behind it stalls, then its own response comes nevertheless', async () => {
    const port = await listen({ HEADERS_TIMEOUT_MS: '100', REQUEST_TIMEOUT_MS: '100' });
    const refused = new Promise((resolve) => edge?.server.once('clientError', resolve));
    const { ended } = send(port, 'GET /v1/next HTTP/1.1\r\nHost');
    await refused;
    goOn();
    expect((await ended).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  });
});
