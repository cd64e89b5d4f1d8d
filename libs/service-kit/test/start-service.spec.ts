import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client, credentials } from '@grpc/grpc-js';
import { createRpcClient, type RpcClient } from '@reseller/rpc';
import { eventually } from '@reseller/testing';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { Fixture } from './child-service';
import { EchoServiceService } from './echo-definition';

type EchoClient = RpcClient<typeof EchoServiceService>;

let fixture: Fixture;
const clients: EchoClient[] = [];

beforeAll(async () => {
  fixture = await Fixture.bundle();
});
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  fixture.endAll();
});
afterAll(() => fixture.remove());

function connect(port: number): EchoClient {
  const client = createRpcClient(EchoServiceService, `127.0.0.1:${port}`, {
    name: 'fixture',
    defaultDeadlineMs: 600_000,
  });
  clients.push(client);
  return client;
}

async function get(port: number, path: string): Promise<{ status: number; body: string }> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`);
  return { status: response.status, body: await response.text() };
}

const call = { requestId: 'r' };

interface HttpReply {
  status: number | undefined;
  headers: IncomingHttpHeaders;
}

/** A request over connections that the agent keeps. */
function getVia(port: number, path: string, agent: Agent): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    request({ port, path, agent, host: '127.0.0.1' }, (response) => {
      response.resume().on('end', () => resolve({ status: response.statusCode, headers: response.headers }));
    })
      .on('error', reject)
      .end();
  });
}

/** What the gRPC health protocol says of the whole server. */
function healthOf(port: number): Promise<string> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  const { serialize, deserialize } = wire;
  return new Promise<string>((resolve, reject) => {
    client.makeUnaryRequest('/grpc.health.v1.Health/Check', serialize, deserialize, {}, (error, status) =>
      error ? reject(error) : resolve(status ?? ''),
    );
  }).finally(() => client.close());
}

/** HealthCheckResponse: one enum, whose field is left out for 0. */
const STATUSES = ['UNKNOWN', 'SERVING', 'NOT_SERVING'];
const wire = {
  serialize: () => Buffer.alloc(0),
  deserialize: (bytes: Buffer) => STATUSES[bytes[1] ?? 0] ?? '',
};

describe('startService', () => {
  it('when it is ready, then it says so once to its parent and in its log, and serves RPC, health and metrics', async () => {
    const child = fixture.start({ MIGRATE_ON_START: 'true' });
    const { grpcPort, httpPort, appPort } = await child.message('ready');
    await child.message('migrated');
    await child.message('job ran');
    expect(await connect(grpcPort).say({ text: 'hello' }, call)).toEqual({ text: 'hello' });
    expect(await get(httpPort, '/healthz')).toEqual({ status: 200, body: '{"status":"ok"}' });
    expect(await get(appPort, '/readyz')).toEqual({
      status: 200,
      body: '{"ready":true,"checks":{"serving":"ok"}}',
    });
    await eventually(async () => {
      const { body } = await get(httpPort, '/metrics');
      expect(body).toMatch(/^process_cpu_seconds_total\{service="fixture"\}/m);
      expect(body).toMatch(/rpc_server_duration_seconds_count\{(?=.*service="fixture")(?=.*code="OK").*\} 1/);
    });
    await eventually(() =>
      expect(child.lines().filter(({ event }) => event === 'ready')).toMatchObject([{ grpcPort, httpPort }]),
    );
  });

  it('when migrating on start is not requested, then nothing is migrated', async () => {
    const child = fixture.start();
    await child.message('ready');
    child.process.disconnect();
    await child.exited;
    await expect(child.message('migrated')).rejects.toThrow(/ended without "migrated"/);
  });

  it('when settings are bad, then it prints a line for each and exits with 1', async () => {
    const child = fixture.start({ SIGNING_SECRET: 'hunter2', GRPC_PORT: 'abc' });
    expect(await child.exited).toBe(1);
    expect(child.errorLines().sort()).toEqual([
      'fixture: GRPC_PORT is not valid: expected a port from 0 (any free one) to 65535',
      'fixture: SIGNING_SECRET is not valid: expected at least 8 characters',
    ]);
  });

  it.each(['GRPC_PORT', 'HTTP_PORT', 'APP_PORT'])(
    'when %s is taken, then it says which to set and exits with 1',
    async (name) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const { port } = other.address() as AddressInfo;
      const child = fixture.start({ [name]: String(port) });
      expect(await child.exited).toBe(1);
      other.close();
      expect(child.errorLines()).toEqual([
        `fixture: 127.0.0.1:${port} is taken by another process: set ${name} to a free port`,
      ]);
    },
  );

  it('when it is stopped, then RPC and HTTP calls under way get their responses before its parts close, and it exits with 0', async () => {
    const child = fixture.start();
    const { grpcPort, appPort } = await child.message('ready');
    const rpcResponse = connect(grpcPort).say({ text: 'hold' }, call);
    const httpResponse = get(appPort, '/hold');
    await child.message('entered', 2);
    child.process.kill('SIGTERM');
    child.process.send('release');
    expect(await rpcResponse).toEqual({ text: 'hold' });
    expect(await httpResponse).toEqual({ status: 200, body: 'hold' });
    expect(await child.exited).toBe(0);
    const events = child.lines().map(({ event, msg }) => event ?? msg);
    expect(events).toEqual([
      'rpc in plain text',
      'ready',
      'stopping',
      'consumer stopped',
      'closed',
      'stopped',
    ]);
  });

  it('when work outlives the grace period, then it is cut off as SERVICE_UNAVAILABLE and the process still exits with 0', async () => {
    const child = fixture.start({ SHUTDOWN_GRACE_MS: '0' });
    const { grpcPort } = await child.message('ready');
    const reply = connect(grpcPort).say({ text: 'hold' }, call);
    await child.message('entered');
    child.process.kill('SIGINT');
    await expect(reply).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await child.exited).toBe(0);
  });

  it('when an HTTP request outlives the grace period, then it gets a response all the same', async () => {
    const child = fixture.start({ SHUTDOWN_GRACE_MS: '0' });
    const { appPort } = await child.message('ready');
    const reply = get(appPort, '/hold');
    await child.message('entered');
    child.process.kill('SIGTERM');
    expect(await reply).toEqual({ status: 503, body: 'cut off' });
    expect(await child.exited).toBe(0);
  });

  it('when it is stopped, then for the delay it is not ready, takes requests still and sends their connections away', async () => {
    const child = fixture.start({ SHUTDOWN_DELAY_MS: '600000' });
    const { httpPort, appPort, grpcPort } = await child.message('ready');
    const agent = new Agent({ keepAlive: true });
    const before = await getVia(appPort, '/x', agent);
    expect(before.headers.connection).toBe('keep-alive');
    const held = getVia(appPort, '/hold', new Agent({ keepAlive: true }));
    await child.message('entered');
    child.process.kill('SIGTERM');
    await eventually(async () => expect(await get(httpPort, '/readyz')).toMatchObject({ status: 503 }));
    expect(await healthOf(grpcPort)).toBe('NOT_SERVING');
    expect(await get(httpPort, '/healthz')).toMatchObject({ status: 200 });
    // On the connection kept from before, and on new ones.
    for (const via of [agent, new Agent({ keepAlive: true })])
      expect(await getVia(appPort, '/x', via)).toMatchObject({
        status: 200,
        headers: { connection: 'close' },
      });
    expect(await connect(grpcPort).say({ text: 'hello' }, call)).toEqual({ text: 'hello' });
    child.process.send('release');
    // It had begun before.
    expect(await held).toMatchObject({ status: 200, headers: { connection: 'close' } });
  });

  it('when the process is killed, then callers get SERVICE_UNAVAILABLE at once, long before their deadline', async () => {
    const child = fixture.start();
    const { grpcPort } = await child.message('ready');
    const reply = connect(grpcPort).say({ text: 'hold' }, call);
    await child.message('entered');
    child.process.kill('SIGKILL');
    await expect(reply).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('when the channel to its parent closes, then it stops by itself', async () => {
    const child = fixture.start();
    await child.message('ready');
    child.process.disconnect();
    expect(await child.exited).toBe(0);
  });

  it('when the process named by PARENT_PID is gone, then it stops by itself', async () => {
    const parent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    const child = fixture.start({ PARENT_PID: String(parent.pid) });
    await child.message('ready');
    parent.kill('SIGKILL');
    expect(await child.exited).toBe(0);
    expect(child.lines()).toContainEqual(expect.objectContaining({ msg: 'stopping', reason: 'parent gone' }));
  });

  it('when a rejection is handled by nobody, then it is logged as fatal and the process exits with 1', async () => {
    const child = fixture.start();
    const { grpcPort } = await child.message('ready');
    await connect(grpcPort)
      .say({ text: 'crash' }, call)
      .catch(() => undefined);
    expect(await child.exited).toBe(1);
    expect(child.lines()).toContainEqual(expect.objectContaining({ level: 60, event: 'unhandledRejection' }));
  });
});
