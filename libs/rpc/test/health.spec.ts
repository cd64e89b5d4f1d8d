import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, credentials, status, type ServiceError } from '@grpc/grpc-js';
import { service as health } from 'grpc-health-check';
import { closeEchoes, latch, startEcho } from './echo';

const { Check, Watch } = health;
const open: Client[] = [];

afterEach(async () => {
  for (const client of open.splice(0)) client.close();
  await closeEchoes();
});

function connect(port: number): Client {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  open.push(client);
  return client;
}

const check = (client: Client, service: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const { path, requestSerialize, responseDeserialize } = Check!;
    client.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service }, (error, response) =>
      error ? reject(error) : resolve(response),
    );
  });

/** What a watch hears, until it is ended by the server: then the last is how. */
function watch(client: Client, service: string): { next: () => Promise<unknown> } {
  const { path, requestSerialize, responseDeserialize } = Watch!;
  const heard: unknown[] = [];
  let news = latch();
  const hear = (what: unknown): void => {
    heard.push(what);
    news.release();
    news = latch();
  };
  const responses = client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service });
  responses.on('data', ({ status: said }: { status: string }) => hear(said));
  responses.on('error', ({ code }: ServiceError) => hear(status[code]));
  return {
    async next() {
      while (heard.length === 0) await news.promise;
      return heard.shift();
    },
  };
}

describe.each(['', 'reseller.test.v1.EchoService'])('the health protocol for "%s"', (service) => {
  it('when it is checked, then it is NOT_SERVING until the server serves, and again when it stops to', async () => {
    const { server, port } = await startEcho((request) => Promise.resolve(request));
    const client = connect(port);
    expect(await check(client, service)).toEqual({ status: 'NOT_SERVING' });
    server.setServing(true);
    expect(await check(client, service)).toEqual({ status: 'SERVING' });
    server.setServing(false);
    expect(await check(client, service)).toEqual({ status: 'NOT_SERVING' });
  });

  it('when it is watched, then each change is reported once, and a drain ends the watch after its NOT_SERVING', async () => {
    const { server, port } = await startEcho((request) => Promise.resolve(request));
    const { next } = watch(connect(port), service);
    expect(await next()).toBe('NOT_SERVING');
    server.setServing(true);
    server.setServing(true);
    expect(await next()).toBe('SERVING');
    const drained = server.drain(60_000);
    expect(await next()).toBe('NOT_SERVING');
    expect(await next()).toBe('UNAVAILABLE');
    await drained;
  });
});

describe('the health of all services', () => {
  it('when it is listed, then each has its status, and the server itself', async () => {
    const { server, port } = await startEcho((request) => Promise.resolve(request));
    server.setServing(true);
    const { path, requestSerialize, responseDeserialize } = health['List']!;
    const response = await new Promise((resolve, reject) =>
      connect(port).makeUnaryRequest(path, requestSerialize, responseDeserialize, {}, (error, list) =>
        error ? reject(error) : resolve(list),
      ),
    );
    const status = 'SERVING';
    expect(response).toEqual({ statuses: { '': { status }, 'reseller.test.v1.EchoService': { status } } });
  });
});

describe('the health protocol for what is not served here', () => {
  it('when it is checked or watched, then it is not found, or unknown', async () => {
    const { server, port } = await startEcho((request) => Promise.resolve(request));
    server.setServing(true);
    const client = connect(port);
    await expect(check(client, 'reseller.other.v1.Service')).rejects.toMatchObject({
      code: status.NOT_FOUND,
    });
    expect(await watch(client, 'reseller.other.v1.Service').next()).toBe('SERVICE_UNKNOWN');
  });
});
