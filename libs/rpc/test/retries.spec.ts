import { Metadata, status } from '@grpc/grpc-js';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { once } from 'node:events';
import { constants, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { retriesOf, RetryBudget } from '../src/retries';
import { aCall, closeEchoes, connectEcho, echoThatIs, latch, layWire, startEcho } from './echo';

afterEach(closeEchoes);

const reading = echoThatIs('NO_SIDE_EFFECTS');
const idempotent = echoThatIs('IDEMPOTENT');

/** Echo behind a wire that is cut while its first `losses` calls are being worked on. */
async function echoThatLoses(losses: number): Promise<{ port: number; calls: () => number }> {
  let calls = 0;
  const { port } = await startEcho(async (request, { signal }) => {
    calls += 1;
    if (calls <= losses) {
      const cut = latch();
      signal?.addEventListener('abort', () => cut.release());
      wire.cut();
      await cut.promise;
    }
    return request;
  });
  const wire = await layWire(port);
  return { port: wire.port, calls: () => calls };
}

const SAYS = { text: 'x' };

describe('a call whose connection breaks', () => {
  it.each([
    ['changes nothing', reading],
    ['is idempotent', idempotent],
  ])('when it %s, then it is sent again, which is counted', async (_what, definition) => {
    const metrics = new Registry();
    const { port, calls } = await echoThatLoses(1);
    expect(await connectEcho(port, { definition, metrics }).say(SAYS, aCall)).toEqual(SAYS);
    expect(calls()).toBe(2);
    expect(await metrics.metrics()).toContain(
      'rpc_client_retries_total{peer="echo",rpc_service="reseller.test.v1.EchoService",method="Say",outcome="sent again"} 1',
    );
  });

  it.each([
    ['the contract does not say that it is safe', {}, {}],
    ['the caller asks again by itself', { definition: idempotent }, { retries: 'never' as const }],
    [
      'it changes something for a client that repeats reads only',
      { definition: idempotent, retries: 'reads' as const },
      {},
    ],
  ])('when %s, then it is sent once and fails', async (_why, options, callOptions) => {
    const { port, calls } = await echoThatLoses(1);
    const response = connectEcho(port, options).say(SAYS, aCall, callOptions);
    await expect(response).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls()).toBe(1);
  });

  it('when it breaks each time, then it is sent three times at most', async () => {
    const { port, calls } = await echoThatLoses(100);
    const response = connectEcho(port, { definition: reading }).say(SAYS, aCall);
    await expect(response).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls()).toBe(3);
  });

  it('when many calls break, then few are sent again: the load is not multiplied', async () => {
    const metrics = new Registry();
    const { port, calls } = await echoThatLoses(1_000);
    const client = connectEcho(port, { definition: reading, metrics });
    for (let i = 0; i < 100; i += 1) await client.say(SAYS, aCall).catch(() => undefined);
    expect(calls()).toBeLessThan(100 + 51);
    expect(await metrics.metrics()).toMatch(/outcome="budget spent"\} \d\d/);
  });
});

describe('a call that got a failure', () => {
  it('when the peer returns SERVICE_UNAVAILABLE by itself, then it is not called again', async () => {
    let calls = 0;
    const { port } = await startEcho(() => {
      calls += 1;
      return Promise.reject(new AppError('SERVICE_UNAVAILABLE'));
    });
    const response = connectEcho(port, { definition: reading }).say(SAYS, aCall);
    await expect(response).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(calls).toBe(1);
  });

  it('when a stopping server gives it up, then the next one is called', async () => {
    const entered = latch();
    const stopping = await startEcho(() => (entered.release(), new Promise(() => undefined)));
    const client = connectEcho(stopping.port, { definition: idempotent });
    const response = client.say(SAYS, aCall);
    await entered.promise;
    const drained = stopping.server.drain(0);
    await drained;
    await startEcho((request) => Promise.resolve(request), { port: stopping.port });
    expect(await response).toEqual(SAYS);
  });
});

/** A server whose HTTP/2 refuses the first streams, as one that ends its connections does; then it returns `{"text":"x"}`. */
async function startRefusing(
  refusals: number,
): Promise<{ port: number; server: Http2Server; calls: () => number }> {
  let calls = 0;
  const response = (stream: ServerHttp2Stream): void => {
    const message = Buffer.from(JSON.stringify(SAYS));
    const prefix = Buffer.from([0, 0, 0, 0, message.length]);
    stream.respond({ ':status': 200, 'content-type': 'application/grpc+proto' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end(Buffer.concat([prefix, message]));
  };
  const server = createServer().on('stream', (stream, { ':path': path = '' }) => {
    stream.on('error', () => undefined);
    if (!path.includes('EchoService')) {
      const unimplemented = { ':status': 200, 'content-type': 'application/grpc', 'grpc-status': '12' };
      stream.respond(unimplemented, { endStream: true });
      return;
    }
    calls += 1;
    if (calls <= refusals) stream.close(constants.NGHTTP2_REFUSED_STREAM);
    else response(stream);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { port: (server.address() as AddressInfo).port, server, calls: () => calls };
}

describe('a call that a closing connection refused', () => {
  it('when it must not be sent twice, then it is passed on all the same: no handler saw it', async () => {
    const { port, server, calls } = await startRefusing(3);
    const client = connectEcho(port, { definition: echoThatIs('IDEMPOTENCY_UNKNOWN') });
    expect(await client.say(SAYS, aCall, { retries: 'never' })).toEqual(SAYS);
    expect(calls()).toBe(4);
    server.close();
  });

  it('when few calls may be repeated, then it is passed on all the same, while one that is lost is not, nor one without time, nor one that failed', async () => {
    const spent = new RetryBudget();
    for (let lost = 0; lost < 60; lost += 1) spent.failed();
    spent.succeeded();
    const sent = async (
      details: string,
      budget: RetryBudget,
      leftMs: number,
      code = status.UNAVAILABLE,
    ): Promise<number> => {
      let calls = 0;
      const fail = (): Promise<unknown> => {
        calls += 1;
        return Promise.reject(
          Object.assign(new Error(details), {
            code,
            details,
            metadata: new Metadata(),
          }),
        );
      };
      const retries = retriesOf(reading.say, { name: 'echo', defaultDeadlineMs: 1_000 }, budget);
      await retries.run(fail, Date.now() + leftMs, undefined, false).catch(() => undefined);
      return calls;
    };
    expect(await sent('Stream refused by server', spent, 5_000)).toBe(3);
    expect(await sent('Connection dropped', spent, 5_000)).toBe(1);
    expect(await sent('Connection dropped', new RetryBudget(), 5)).toBe(1);
    expect(await sent('unknown method', new RetryBudget(), 5_000, status.UNIMPLEMENTED)).toBe(1);
  });
});
