import { once } from 'node:events';
import { createRequire } from 'node:module';
import net from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Cluster } from 'kafkajs';
import { hookJoins, patchKafkajs } from './kafkajs-patches';

type Class = new (options: object) => Record<string, (...input: unknown[]) => unknown>;
const load = createRequire(__filename);
const RequestQueue = load('kafkajs/src/network/requestQueue') as Class;
const Connection = load('kafkajs/src/network/connection') as Class;
const Encoder = load('kafkajs/src/protocol/encoder') as Class;
const Runner = load('kafkajs/src/consumer/runner') as Class;
const ConsumerGroup = load('kafkajs/src/consumer/consumerGroup') as Class;
const Emitter = load('kafkajs/src/instrumentation/emitter') as Class;
const { events } = load('kafkajs/src/consumer/instrumentationEvents') as { events: { REBALANCING: string } };

const log: Record<string, unknown> = { namespace: () => log };
for (const level of ['debug', 'info', 'warn', 'error']) log[level] = () => undefined;
const broker = { host: 'localhost', port: 9092, clientId: 'test', requestTimeout: 1_000, logger: log };

/** The times for which an idle queue of requests sets timers. */
function timersOfAnIdleQueue(): number[] {
  const setTimer = jest.spyOn(globalThis, 'setTimeout');
  const queue = new RequestQueue(broker);
  queue['checkPendingRequests']?.();
  queue['destroy']?.();
  const times = setTimer.mock.calls.map(([, ms]) => Number(ms));
  setTimer.mockRestore();
  return times;
}

/** How many sockets two requests open that find the connection lost. */
async function socketsOfTwoRequests(): Promise<number> {
  let sockets = 0;
  const socketFactory = ({ onConnect }: { onConnect: () => void }): net.Socket => {
    sockets += 1;
    setImmediate(onConnect);
    return new net.Socket();
  };
  const connection = new Connection({ ...broker, connectionTimeout: 1_000, socketFactory });
  await Promise.all([connection['connect']?.(), connection['connect']?.()]);
  await connection['disconnect']?.();
  return sockets;
}

/** Anything that gets a response: an empty request, of which nothing comes back. */
const anyRequest = {
  request: { apiKey: 18, apiVersion: 0, apiName: 'Any', encode: async () => new Encoder({}) },
  response: { decode: async () => ({}), parse: async () => 'understood' },
};

/** Does something with connections to a broker that treats each of its own as it is given, with how many there were before. */
async function withBroker<T>(
  serve: (socket: net.Socket, before: number) => void,
  work: (connect: () => Promise<InstanceType<Class>>) => Promise<T>,
): Promise<T> {
  const sockets: net.Socket[] = [];
  const server = net.createServer((socket) => {
    serve(socket.resume(), sockets.length);
    sockets.push(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const socketFactory = ({ onConnect }: { onConnect: () => void }): net.Socket =>
    net.connect(port, '127.0.0.1', onConnect);
  const options = { ...broker, port, connectionTimeout: 1_000, requestTimeout: 100, socketFactory };
  try {
    return await work(async () => {
      const connection = new Connection(options);
      await connection['connect']?.();
      return connection;
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

/** Whether two connections are kept when one of them has a request that gets no response. */
function keptWhenSilent(): Promise<unknown[]> {
  const silent = (): void => undefined;
  return withBroker(silent, async (connect) => {
    const [busy, idle] = [await connect(), await connect()];
    await expect(busy['send']?.(anyRequest)).rejects.toThrow('timed out');
    await nextTurn();
    return [busy['isConnected']?.(), idle['isConnected']?.()];
  });
}

/** What becomes of a request on a connection that was lost in the middle of a response, and made anew. */
function requestAfterHalfAResponse(): Promise<unknown> {
  const half = Buffer.of(0, 0, 0, 9, 0);
  const toTheSecond = Buffer.of(0, 0, 0, 4, 0, 0, 0, 1);
  return withBroker(
    (socket, before) =>
      socket.once('data', () => (before === 0 ? socket.end(half) : socket.write(toTheSecond))),
    async (connect) => {
      const connection = await connect();
      await expect(connection['send']?.(anyRequest)).rejects.toThrow('Closed connection');
      await connection['connect']?.();
      return Promise.resolve(connection['send']?.(anyRequest)).catch((error: Error) => error.message);
    },
  );
}

/** How often a member joins its group when two of its loops find at once that partitions have changed. */
async function joinsOfTwoLoops(): Promise<number> {
  let joins = 0;
  const joinGroup = (): Promise<never> => {
    joins += 1;
    return Promise.reject(Object.assign(new Error('enough'), { retriable: false }));
  };
  const cluster = { findGroupCoordinator: () => Promise.resolve({ joinGroup }) };
  const retry = { retries: 0 };
  const group = new ConsumerGroup({ cluster, logger: log, groupId: 'g', topics: [], assigners: [], retry });
  await Promise.allSettled([group['joinAndSync']?.(), group['joinAndSync']?.()]);
  return joins;
}

describe('kafkajs as it comes: a test that fails says that its patch is no longer needed', () => {
  it('when a connection is idle, then it sets timers of negative times', () => {
    expect(timersOfAnIdleQueue()).toEqual([expect.any(Number)]);
    expect(timersOfAnIdleQueue()[0]).toBeLessThan(0);
  });

  it('when two requests find a connection lost, then each opens a socket', async () => {
    expect(await socketsOfTwoRequests()).toBe(2);
  });

  it('when a request gets no response, then its connection is kept for the next one', async () => {
    expect(await keptWhenSilent()).toEqual([true, true]);
  });

  it('when a connection is lost in the middle of a response, then nothing is understood on the next one', async () => {
    expect(await requestAfterHalfAResponse()).toMatch('timed out');
  });

  it('when two brokers say at once that partitions have changed, then a member joins its group twice', async () => {
    expect(await joinsOfTwoLoops()).toBe(2);
  });

  it('when a group rebalances, then the consumer joins again before a listener has ended', async () => {
    const order: string[] = [];
    const emitter = new Emitter({});
    let endListener = (): void => undefined;
    const listening = new Promise<void>((resolve) => (endListener = resolve));
    emitter['addListener']?.(events.REBALANCING, () => listening.then(() => order.push('listener ended')));
    const rejoined = new Promise<void>((resolve) => {
      const joinAndSync = async (): Promise<void> => {
        order.push('joined');
        if (order.length === 2) resolve();
      };
      const fetch = (): Promise<never> =>
        order.length < 2
          ? Promise.reject(Object.assign(new Error('rebalance'), { type: 'REBALANCE_IN_PROGRESS' }))
          : new Promise(() => undefined);
      const consumerGroup = { connect: async () => undefined, joinAndSync, fetch, getNodeIds: () => [1] };
      const runner = new Runner({
        logger: log,
        consumerGroup,
        instrumentationEmitter: emitter,
        concurrency: 1,
      });
      void runner['start']?.();
    });
    await rejoined;
    endListener();
    await nextTurn();
    expect(order).toEqual(['joined', 'joined', 'listener ended']);
  });
});

describe('kafkajs with its patches', () => {
  beforeAll(patchKafkajs);

  it('when a connection is idle, then it sets no timer', () => {
    expect(timersOfAnIdleQueue()).toEqual([]);
  });

  it('when two requests find a connection lost, then they share one socket', async () => {
    expect(await socketsOfTwoRequests()).toBe(1);
  });

  it('when a request gets no response, then its connection ends, and idle ones to the same broker', async () => {
    expect(await keptWhenSilent()).toEqual([false, false]);
  });

  it('when a connection is lost in the middle of a response, then the next one begins with a response of its own', async () => {
    expect(await requestAfterHalfAResponse()).toBe('understood');
  });

  it('when two brokers say at once that partitions have changed, then a member joins its group once', async () => {
    expect(await joinsOfTwoLoops()).toBe(1);
  });

  it('when a consumer joins its group, then it waits for what ends the assignment before, and a join that fails is reported', async () => {
    const order: string[] = [];
    const joinGroup = (): Promise<never> => {
      order.push('joined');
      return Promise.reject(Object.assign(new Error('enough'), { retriable: false }));
    };
    const cluster = { findGroupCoordinator: () => Promise.resolve({ joinGroup }) };
    hookJoins(cluster as unknown as Cluster, {
      before: async () => {
        await nextTurn();
        order.push('ended');
      },
      failed: (error) => order.push(`failed: ${(error as Error).message}`),
    });
    const retry = { retries: 0 };
    const group = new ConsumerGroup({ cluster, logger: log, groupId: 'g', topics: [], assigners: [], retry });
    await expect(group['joinAndSync']?.()).rejects.toThrow('enough');
    expect(order).toEqual(['ended', 'joined', 'failed: enough']);
  });
});
