import { once } from 'node:events';
import { connect as connectSession } from 'node:http2';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import {
  credentials,
  Server,
  ServerCredentials,
  type sendUnaryData,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import { service as health } from 'grpc-health-check';
import { eventually } from '@reseller/testing';
import { InstanceSocket } from '../src/balancing/instance-socket';
import { watchSilence } from '../src/balancing/watch-silence';
import type { RpcCallOptions } from '../src/rpc-options';
import { aCall, closeEchoes, connectEcho, echoThatIs, latch, layWire, startEcho } from './echo';
import { EchoServiceService, type SayRequest, type SayResponse } from './echo-definition';

afterEach(async () => {
  jest.useRealTimers();
  await closeEchoes();
});

/** Pings would end the wait by themselves, later. */
const NO_PINGS = { channelOptions: { 'grpc.keepalive_time_ms': 3_600_000 } };

describe('a connection on which nothing comes back', () => {
  it('when it was forgotten on the way, then it is made anew, and a call that may be repeated never hears of it', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request));
    const wire = await layWire(port);
    const client = connectEcho(wire.port, { ...NO_PINGS, definition: echoThatIs('IDEMPOTENT') });
    await client.say({ text: 'first' }, aCall);
    wire.forget();
    expect(await client.say({ text: 'second' }, aCall)).toEqual({ text: 'second' });
  });

  it('when its peer stands still, then it is kept, what is new goes to the others, and the call on it is served once and succeeds', async () => {
    let served = 0;
    const { port, server } = await startEcho((request) => {
      if (request.text === 'kept') served += 1;
      return Promise.resolve(request);
    });
    const other = await startEcho(() => Promise.resolve({ text: 'other' }));
    for (const one of [server, other.server]) one.setServing(true);
    const wire = await layWire(port);
    const client = connectEcho(`127.0.0.1:${wire.port},127.0.0.1:${other.port}`, {
      ...NO_PINGS,
      definition: echoThatIs('IDEMPOTENT'),
    });
    const say = async (text: string, options?: RpcCallOptions): Promise<string> =>
      (await client.say({ text }, aCall, options)).text;
    await eventually(async () => expect(new Set([await say('first'), await say('first')]).size).toBe(2));
    wire.hold();
    const replies = [say('kept'), say('kept')];
    await eventually(async () => {
      for (let n = 0; n < 4; n += 1) expect(await say('new', { deadlineMs: 500 })).toBe('other');
    });
    // One beside it that nobody served was given up for another.
    await eventually(() => expect(wire.connections).toBeGreaterThanOrEqual(3));
    wire.release();
    expect((await Promise.all(replies)).sort()).toEqual(['kept', 'other']);
    expect(served).toBe(1);
  });

  it('when its handler takes long, then a question beside the call is enough to keep it, also by a server of another team', async () => {
    const isQuestioned = latch();
    const server = new Server();
    server.addService(EchoServiceService, {
      say: ({ request }: ServerUnaryCall<SayRequest, SayResponse>, respond: sendUnaryData<SayResponse>) =>
        void isQuestioned.promise.then(() => respond(null, request)),
    });
    server.addService(health, {
      check: (_call: unknown, respond: sendUnaryData<object>) => {
        respond(null, { status: 'SERVING' });
        isQuestioned.release();
      },
    });
    const wire = await layWire(await listen(server));
    const reply = connectEcho(wire.port, NO_PINGS).say({ text: 'slow' }, aCall);
    expect(await reply).toEqual({ text: 'slow' });
    expect(wire.connections).toBe(1);
    server.forceShutdown();
  });

  it('when something was sent before the watch, or after what comes instead of the response to a question, then it is questioned for that too', async () => {
    const accepting = createServer().listen(0, '127.0.0.1');
    await once(accepting, 'listening');
    const near = connect((accepting.address() as AddressInfo).port, '127.0.0.1').resume();
    const [far] = (await once(accepting, 'connection')) as [Socket];
    const socket = new InstanceSocket();
    socket.opened(near, credentials.createInsecure()._createSecureConnector({ path: '' }, {}));
    near.write('sent before the watch, and lost');
    jest.useFakeTimers(ONLY_TIMERS);
    const onResponse: (() => void)[] = [];
    const stop = watchSilence({
      socket,
      ask: (respond) => {
        near.write('question');
        onResponse.push(respond);
        return () => undefined;
      },
      onSilence: () => undefined,
      onDead: () => undefined,
    });
    jest.advanceTimersByTime(3 * LOOK_MS);
    expect(onResponse).toHaveLength(1);
    far.write('response to an earlier call');
    await once(near, 'data');
    near.write('sent later, and lost');
    jest.advanceTimersByTime(4 * LOOK_MS);
    expect(onResponse).toHaveLength(2);
    far.write('response to the question');
    await once(near, 'data');
    onResponse[1]?.();
    jest.advanceTimersByTime(10 * LOOK_MS);
    expect(onResponse).toHaveLength(2);
    stop();
    near.destroy();
    accepting.close();
  });

  it('when its client has vanished, then the server ends it, and keeps that of one that only is idle', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request));
    jest.useFakeTimers(ONLY_TIMERS);
    const vanished = connect(port, '127.0.0.1', () => vanished.write(BEGINNING)).resume();
    const idle = connectSession(`http://127.0.0.1:${port}`);
    await Promise.all([once(vanished, 'data'), once(idle, 'remoteSettings')]);
    const ended = once(vanished, 'close');
    for (let minute = 0; minute < 3; minute += 1) {
      const isPinged = once(idle, 'ping');
      jest.advanceTimersByTime(60_000);
      await isPinged;
      // A server that responds to this one has had the response to its own.
      await new Promise((resolve) => idle.ping(resolve));
    }
    await ended;
    expect(idle.destroyed).toBe(false);
    idle.destroy();
    await once(idle, 'close');
  });
});

const ONLY_TIMERS: Parameters<typeof jest.useFakeTimers>[0] = {
  doNotFake: ['nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask'],
};
/** How often a watch looks. */
const LOOK_MS = 500;

/** What HTTP/2 has a client begin with: its preface, and settings that set nothing. */
const BEGINNING = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
