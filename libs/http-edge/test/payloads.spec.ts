import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppError, isAppError } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import { connect } from 'node:net';
import { HeldPayload, StreamedPayload, type EdgeRoute } from '../src';
import { startEdge, type RunningEdge } from './start-edge';

let made = 0;
let hasEnded = false;

/** An array as JSON in parts, which are counted as they are made. */
async function* numbers(count: number, breakAt = Infinity): AsyncGenerator<string> {
  if (count === 0) throw new AppError('NOT_FOUND_STATEMENT');
  hasEnded = false;
  try {
    yield '[0';
    for (made = 1; made < count; made += 1) {
      if (made === breakAt) throw new Error('the ledger is gone');
      yield `,${made}`;
    }
    yield ']';
  } finally {
    hasEnded = true;
  }
}

interface EchoRoute extends EdgeRoute {
  reply: () => unknown;
}

const ROUTES: EchoRoute[] = [
  { method: 'GET', path: '/v1/long', reply: () => StreamedPayload.open(numbers(200_000)) },
  { method: 'GET', path: '/v1/refused', reply: () => StreamedPayload.open(numbers(0)) },
  { method: 'GET', path: '/v1/torn', reply: () => StreamedPayload.open(numbers(200_000, 150_000)) },
  {
    method: 'GET',
    path: '/v1/held',
    // Held twice, and the second time by what fails, which is for whoever goes on to say.
    reply: () =>
      new HeldPayload(Promise.resolve(), async () => {
        const failing = Promise.reject(new AppError('NOT_FOUND_EVENT'));
        return new HeldPayload(failing, () =>
          failing.catch((error: unknown) => ({ heard: isAppError(error) && error.code })),
        );
      }),
  },
  {
    method: 'GET',
    path: '/v1/held-and-refused',
    reply: () =>
      new HeldPayload(Promise.resolve(), () => Promise.reject(new AppError('NOT_FOUND_EVENT'))).within(
        (resume) => resume(),
      ),
  },
];

let edge: RunningEdge;
beforeAll(async () => {
  edge = await startEdge<EchoRoute>({ routes: ROUTES, run: async (_exchange, { route }) => route.reply() });
});
afterAll(() => edge.close());

describe('a payload that is held', () => {
  it('when its wait settles, however, then the request goes on, as often as it is held again', async () => {
    const { status, text } = await edge.send('/v1/held');
    expect([status, text]).toEqual([200, '{"state":"SUCCESS","payload":{"heard":"NOT_FOUND_EVENT"}}']);
  });

  it('when going on is refused, then that is the response', async () => {
    expect((await edge.send('/v1/held-and-refused')).status).toBe(404);
  });
});

describe('a payload that is made while it is written', () => {
  it('when it is read, then it is whole, in its envelope, and HEAD has none of it', async () => {
    const response = await fetch(`http://127.0.0.1:${edge.port}/v1/long`);
    const { state, payload } = (await response.json()) as { state: string; payload: number[] };
    expect([response.status, state, payload.length, payload.at(-1)]).toEqual([
      200,
      'SUCCESS',
      200_000,
      199_999,
    ]);
    const head = await fetch(`http://127.0.0.1:${edge.port}/v1/long`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    // What makes it may hold a cursor, or listen to something.
    expect(hasEnded).toBe(true);
  });

  it('when its beginning is refused, then that is the response', async () => {
    expect((await edge.send('/v1/refused')).body?.state).toBe('NOT_FOUND_STATEMENT');
  });

  it('when it breaks half-way, then the response breaks off, and the log says why', async () => {
    edge.logged.length = 0;
    const reply = fetch(`http://127.0.0.1:${edge.port}/v1/torn`).then((response) => response.text());
    await expect(reply).rejects.toThrow();
    expect(edge.logged.map(({ err }) => err?.message)).toContain('the ledger is gone');
  });

  it('when its reader stops reading, then no more is made than fits on the way', async () => {
    const socket = connect(edge.port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    socket.pause();
    made = 0;
    socket.write('GET /v1/long HTTP/1.1\r\nHost: a\r\n\r\n');
    await eventually(async () => expect(made).toBeGreaterThan(1));
    socket.destroy();
    expect(made).toBeLessThan(200_000);
  });
});
