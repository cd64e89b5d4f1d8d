import { afterEach, describe, expect, it } from '@jest/globals';
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from '@grpc/grpc-js';
import { service as health } from 'grpc-health-check';
import { eventually } from '@reseller/testing';
import type { RpcCallOptions } from '../src/rpc-options';
import { aCall, closeEchoes, connectEcho, echoThatIs, latch, startEcho, Wire } from './echo';
import { EchoServiceService, type SayRequest, type SayResponse } from './echo-definition';

afterEach(closeEchoes);

/** Pings would end the wait by themselves, later. */
const NO_PINGS = { channelOptions: { 'grpc.keepalive_time_ms': 3_600_000 } };

describe('a connection on which nothing comes back', () => {
  it('when it was forgotten on the way, then it is made anew, and a call that may be repeated never hears of it', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request));
    const { wire, port: before } = await Wire.to(port);
    const client = connectEcho(before, { ...NO_PINGS, definition: echoThatIs('IDEMPOTENT') });
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
    const { wire, port: before } = await Wire.to(port);
    const client = connectEcho(`127.0.0.1:${before},127.0.0.1:${other.port}`, {
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
    const { wire, port } = await Wire.to(await listen(server));
    const reply = connectEcho(port, NO_PINGS).say({ text: 'slow' }, aCall);
    expect(await reply).toEqual({ text: 'slow' });
    expect(wire.connections).toBe(1);
    server.forceShutdown();
  });
});

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    );
  });
