import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { credentials, makeClientConstructor, Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import { service as healthDefinition } from 'grpc-health-check';
import { Registry } from 'prom-client';
import { AppError } from '@reseller/errors';
import { eventually } from '@reseller/testing';
import { aCall, closeEchoes, connectEcho, latch, startEcho } from './echo';

afterEach(closeEchoes);

describe('a peer that comes and goes', () => {
  it('when the response takes longer than the deadline, then it is SERVICE_UNAVAILABLE and the handler is notified', async () => {
    const reported = latch();
    const { port } = await startEcho((request, { signal }) => {
      signal?.addEventListener('abort', () => reported.release());
      return reported.promise.then(() => request);
    });
    const client = connectEcho(port);
    // The deadline is for the handler: a cold connection on a busy machine must not use it up.
    await client.waitForReady(10_000);
    const reply = client.say({ text: 'x' }, aCall, { deadlineMs: 1_000 });
    await expect(reply).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await reported.promise;
  });

  it('when nobody listens, then the deadline ends the wait with the peer named in the cause only', async () => {
    const { server, port } = await startEcho((request) => Promise.resolve(request));
    await server.drain(0);
    const client = connectEcho(port);
    const failure: unknown = await client
      .say({ text: 'x' }, aCall, { deadlineMs: 100 })
      .catch((e: unknown) => e);
    expect(failure).toMatchObject({ code: 'SERVICE_UNAVAILABLE', details: {} });
    expect((failure as AppError).message).not.toContain('echo');
    expect(String((failure as AppError).cause)).toContain('echo');
    expect(client.isReady()).toBe(false);
    await expect(client.waitForReady(50)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('when a server comes back on its port, then the same client reaches it, a waiting call included', async () => {
    const first = await startEcho((request) => Promise.resolve(request));
    const client = connectEcho(first.port);
    await client.say({ text: 'x' }, aCall);
    expect(client.isReady()).toBe(true);
    await first.server.drain(0);
    const waiting = client.say({ text: 'again' }, aCall);
    await startEcho(() => Promise.resolve({ text: 'second' }), { port: first.port });
    expect(await waiting).toEqual({ text: 'second' });
    await client.waitForReady(5_000);
  });

  it('when whoever accepts the first connection is silent, then the same client connects anew and reaches the server', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request));
    const accepted: Socket[] = [];
    const between = createServer((socket) => {
      accepted.push(socket);
      socket.on('error', () => undefined);
      // The first gets no response, as by a server that hangs.
      if (accepted.length === 1) return void socket.resume();
      const onward = connect(port, '127.0.0.1');
      socket.once('close', () => onward.destroy());
      socket.pipe(onward).pipe(socket);
    }).listen(0, '127.0.0.1');
    try {
      await once(between, 'listening');
      const client = connectEcho((between.address() as AddressInfo).port);
      await client.waitForReady(30_000);
      expect(await client.say({ text: 'heard' }, aCall)).toEqual({ text: 'heard' });
      expect(accepted[0]?.destroyed).toBe(true);
    } finally {
      for (const socket of accepted) socket.destroy();
      between.close();
    }
  });

  it('when a server of another team ends what it says of its health without an error, then it is listened to anew', async () => {
    let watches = 0;
    const server = new Server();
    const watch = (call: ServerWritableStream<object, object>): void => {
      watches += 1;
      call.write({ status: 'NOT_SERVING' });
      if (watches === 1) call.end();
    };
    server.addService(healthDefinition, { watch });
    const port = await new Promise<number>((resolve, reject) => {
      const listening = (error: Error | null, bound: number): void =>
        error ? reject(error) : resolve(bound);
      server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), listening);
    });
    await connectEcho(port).waitForReady(10_000);
    await eventually(() => expect(watches).toBe(2));
    server.forceShutdown();
  });

  it('when a server drains, then the call under way is finished first', async () => {
    const entered = latch();
    const finish = latch();
    const { server, port } = await startEcho(async (request) => {
      entered.release();
      await finish.promise;
      return request;
    });
    const reply = connectEcho(port).say({ text: 'kept' }, aCall);
    await entered.promise;
    const drained = server.drain(10_000);
    finish.release();
    expect(await reply).toEqual({ text: 'kept' });
    await drained;
  });

  it('when a port is taken, then listening rejects', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request));
    await expect(startEcho((request) => Promise.resolve(request), { port })).rejects.toThrow(/EADDRINUSE/);
  });
});

describe('what both sides tell about calls', () => {
  it('when calls were made and served, then both sides count them by method and code', async () => {
    const metrics = new Registry();
    const { port } = await startEcho(
      ({ text }) =>
        text === 'bad' ? Promise.reject(new AppError('RATE_LIMITED')) : Promise.resolve({ text }),
      { metrics },
    );
    const client = connectEcho(port, { metrics });
    await client.say({ text: 'good' }, aCall);
    await client.say({ text: 'bad' }, aCall).catch(() => undefined);
    const labels = 'rpc_service="reseller.test.v1.EchoService",method="Say"';
    // The server counts after it has responded.
    await eventually(async () => {
      const text = await metrics.metrics();
      for (const code of ['OK', 'RATE_LIMITED']) {
        expect(text).toContain(`rpc_server_duration_seconds_count{${labels},code="${code}"} 1`);
        expect(text).toContain(`rpc_client_duration_seconds_count{peer="echo",${labels},code="${code}"} 1`);
      }
    });
  });

  it('when it begins and ends serving, then the gRPC health protocol says so', async () => {
    const { server, port } = await startEcho((request) => Promise.resolve(request));
    const HealthClient = makeClientConstructor(healthDefinition, 'Health');
    const client = new HealthClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const check = (): Promise<unknown> =>
      new Promise((resolve, reject) => {
        client['check']?.(
          { service: 'reseller.test.v1.EchoService' },
          (error: Error | null, response: unknown) => (error ? reject(error) : resolve(response)),
        );
      });
    expect(await check()).toEqual({ status: 'NOT_SERVING' });
    server.setServing(true);
    expect(await check()).toEqual({ status: 'SERVING' });
    client.close();
  });
});
