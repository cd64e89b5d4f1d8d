import { afterEach, describe, expect, it } from '@jest/globals';
import { Server, ServerCredentials, type handleUnaryCall, type ServiceDefinition } from '@grpc/grpc-js';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect } from 'node:http2';
import { AppError } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import { GATHERED_PATH } from '../src/gathered/frame';
import { EchoServiceService, type SayRequest, type SayResponse } from './echo-definition';
import { aCall, closeEchoes, connectEcho, echoThatIs, latch, startEcho, type EchoClient } from './echo';

const STREAM_OPENED = 'http2.client.stream.created';

afterEach(closeEchoes);

const TEXTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

const sayAll = (client: EchoClient, texts = TEXTS): Promise<SayResponse[]> =>
  Promise.all(texts.map((text) => client.say({ text }, { requestId: `request-${text}` })));

/** How many HTTP/2 streams this process's clients open while work is done. */
async function countStreams(work: () => Promise<unknown>): Promise<number> {
  let streams = 0;
  const count = (): void => void (streams += 1);
  subscribe(STREAM_OPENED, count);
  await work();
  unsubscribe(STREAM_OPENED, count);
  return streams;
}

/** Keeps the thread from anything else for so long. */
function occupy(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('calls that begin at once', () => {
  it('when they are to one dependency, then each gets its own response and keeps its own context', async () => {
    const seen: string[] = [];
    const { port } = await startEcho((request, { requestId }) => {
      seen.push(`${request.text} ${requestId}`);
      return Promise.resolve({ text: request.text.toUpperCase() });
    });
    const responses = await sayAll(connectEcho(port));
    expect(responses.map(({ text }) => text)).toEqual(TEXTS.map((text) => text.toUpperCase()));
    expect(seen.sort()).toEqual(TEXTS.map((text) => `${text} request-${text}`));
  });

  it('when they are to one dependency, then they share a stream, which a single call does not need', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request));
    const client = connectEcho(port);
    await client.say({ text: 'x' }, aCall);
    expect(await countStreams(() => client.say({ text: 'x' }, aCall))).toBe(1);
    expect(await countStreams(() => sayAll(client))).toBe(1);
  });

  it('when the machine is busy while they begin, then they share a stream as well', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request));
    const client = connectEcho(port);
    await client.say({ text: 'x' }, aCall);
    const sayBusily = (): Promise<SayResponse[]> =>
      Promise.all(
        TEXTS.map((text) => {
          occupy(10);
          return client.say({ text }, aCall);
        }),
      );
    expect(await countStreams(sayBusily)).toBe(1);
  });

  it('when one is refused, then it has its code and details, and the others their responses', async () => {
    const { port } = await startEcho((request) =>
      request.text === 'c'
        ? Promise.reject(new AppError('NOT_FOUND_ORDER', { orderId: 'c' }))
        : Promise.resolve(request),
    );
    const client = connectEcho(port);
    const ended = await Promise.allSettled(TEXTS.map((text) => client.say({ text }, aCall)));
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(TEXTS.length - 1);
    expect(ended[2]).toMatchObject({ reason: { code: 'NOT_FOUND_ORDER', details: { orderId: 'c' } } });
  });

  it('when one takes long, then the others do not wait for it', async () => {
    const slow = latch();
    const { port } = await startEcho((request) =>
      request.text === 'a' ? slow.promise.then(() => request) : Promise.resolve(request),
    );
    const client = connectEcho(port);
    const first = client.say({ text: 'a' }, aCall);
    await sayAll(client, TEXTS.slice(1));
    slow.release();
    expect(await first).toEqual({ text: 'a' });
  });

  it('when the caller of one gives up, then its handler is notified, and the others have their responses', async () => {
    const entered = latch();
    const reported = latch();
    const goOn = latch();
    const { port } = await startEcho(async (request, { signal }) => {
      if (request.text !== 'a') return goOn.promise.then(() => request);
      signal?.addEventListener('abort', () => reported.release());
      entered.release();
      await reported.promise;
      return request;
    });
    const client = connectEcho(port);
    const caller = new AbortController();
    const first = client.say({ text: 'a' }, { requestId: 'r', signal: caller.signal });
    const refused = expect(first).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const others = sayAll(client, TEXTS.slice(1));
    await entered.promise;
    caller.abort();
    await Promise.all([refused, reported.promise]);
    goOn.release();
    expect(await others).toHaveLength(TEXTS.length - 1);
  });

  it('when nobody responds within the deadline, then each is SERVICE_UNAVAILABLE and its handler is notified', async () => {
    let reported = 0;
    const { port } = await startEcho((_request, { signal }) => {
      signal?.addEventListener('abort', () => (reported += 1));
      return new Promise(() => undefined);
    });
    const client = connectEcho(port, { defaultDeadlineMs: 200 });
    const ended = await Promise.allSettled(TEXTS.map((text) => client.say({ text }, aCall)));
    for (const one of ended) expect(one).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
    await eventually(() => expect(reported).toBe(TEXTS.length));
  });

  it('when their deadlines are far apart, then each ends at its own', async () => {
    const { port } = await startEcho((request) =>
      request.text === 'late' ? Promise.resolve(request) : new Promise(() => undefined),
    );
    const client = connectEcho(port);
    const soon = client.say({ text: 'never' }, aCall, { deadlineMs: 100 });
    const late = client.say({ text: 'late' }, aCall, { deadlineMs: 60_000 });
    await expect(soon).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await late).toEqual({ text: 'late' });
  });

  it('when the server stops and cuts them off, then another takes those that may be sent again', async () => {
    const entered = latch();
    let count = 0;
    const stopping = await startEcho(() => {
      count += 1;
      if (count === TEXTS.length) entered.release();
      return new Promise(() => undefined);
    });
    const client = connectEcho(stopping.port, { definition: echoThatIs('IDEMPOTENT') });
    const responses = sayAll(client);
    await entered.promise;
    await stopping.server.drain(0);
    await startEcho((request) => Promise.resolve(request), { port: stopping.port });
    expect((await responses).map(({ text }) => text)).toEqual(TEXTS);
  });

  it('when the server knows no such stream, then each is sent by itself, once', async () => {
    const seen: string[] = [];
    const old = new Server();
    const say: handleUnaryCall<SayRequest, SayResponse> = ({ request }, respond) => {
      seen.push(request.text);
      respond(null, request);
    };
    old.addService(EchoServiceService as unknown as ServiceDefinition, { say });
    const port = await new Promise<number>((resolve, reject) =>
      old.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      ),
    );
    const client = connectEcho(port);
    expect(await sayAll(client)).toHaveLength(TEXTS.length);
    expect(await sayAll(client)).toHaveLength(TEXTS.length);
    expect(seen.sort()).toEqual([...TEXTS, ...TEXTS].sort());
    old.forceShutdown();
  });

  it('when the connection breaks, then each is lost by itself', async () => {
    const entered = latch();
    const { server, port } = await startEcho(() => {
      entered.release();
      return new Promise(() => undefined);
    });
    const client = connectEcho(port);
    const ended = Promise.allSettled(TEXTS.map((text) => client.say({ text }, aCall)));
    await entered.promise;
    await server.drain(0);
    for (const one of await ended) expect(one).toMatchObject({ reason: { code: 'SERVICE_UNAVAILABLE' } });
  });
});

describe('a stream of calls', () => {
  it.each(['', 'no frame', '\u0000\u0000\u0000\u0002{}x', '\u0000\u0000\u0000\u000e{"calls":[[1]]}'])(
    'when it brings %j, then it ends with INVALID_ARGUMENT or nothing, and the server goes on',
    async (text) => {
      const { port } = await startEcho((request) => Promise.resolve(request));
      await sendRaw(port, Buffer.from(text, 'latin1'));
      expect(await sayAll(connectEcho(port))).toHaveLength(TEXTS.length);
    },
  );
});

/** One gRPC message on the path of gathered calls, as a stranger would send it. */
function sendRaw(port: number, message: Buffer): Promise<void> {
  const session = connect(`http://127.0.0.1:${port}`);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return new Promise<void>((resolve, reject) => {
    session.on('error', reject);
    const stream = session.request({
      ':method': 'POST',
      ':path': GATHERED_PATH,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': '500m',
    });
    stream.on('error', reject).on('close', resolve).resume();
    stream.end(Buffer.concat([head, message]));
  }).finally(() => session.close());
}
