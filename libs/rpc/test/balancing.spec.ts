import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@reseller/testing';
import { aCall, closeEchoes, connectEcho, echoThatIs, type EchoClient } from './echo';
import { EchoProcesses, type EchoProcess } from './echo-processes';

let processes: EchoProcesses;

beforeAll(() => {
  processes = new EchoProcesses();
});
afterEach(async () => {
  await closeEchoes();
  processes.endAll();
});
afterAll(() => processes.remove());

const reading = echoThatIs('NO_SIDE_EFFECTS');
const KEEP_ALIVE = { 'grpc.keepalive_time_ms': 500, 'grpc.keepalive_timeout_ms': 2_000 };

const startTwo = (): Promise<EchoProcess[]> => Promise.all(['a', 'b'].map((name) => processes.start(name)));
const addressesOf = (servers: EchoProcess[]): string => servers.map(({ port }) => `127.0.0.1:${port}`).join();

/** How many of so many calls each server served, or failed. */
async function share(client: EchoClient, calls: number): Promise<Record<string, number>> {
  const responses = await Promise.all(
    Array.from({ length: calls }, () =>
      client.say({ text: 'x' }, aCall).then(
        ({ text }) => text,
        () => 'failed',
      ),
    ),
  );
  const counts: Record<string, number> = {};
  for (const name of responses) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Connected to both: each has responded. */
async function connectBoth(
  address: string,
  options: Parameters<typeof connectEcho>[1] = {},
): Promise<EchoClient> {
  const client = connectEcho(address, { definition: reading, ...options });
  await eventually(async () => expect(Object.keys(await share(client, 4)).sort()).toEqual(['a', 'b']));
  return client;
}

describe('calls to several instances', () => {
  it('when two serve, by name or address, then they share the calls evenly', async () => {
    const [a, b] = (await startTwo()) as [EchoProcess, EchoProcess];
    const client = await connectBoth(`localhost:${a.port}, 127.0.0.1:${b.port}`);
    await eventually(async () => expect(await share(client, 200)).toEqual({ a: 100, b: 100 }));
  });

  it('when one dies, then no question is lost and the other responds; when it comes back, it shares again', async () => {
    const [a, b] = (await startTwo()) as [EchoProcess, EchoProcess];
    const client = await connectBoth(addressesOf([a, b]));
    const first = share(client, 50);
    a.signal('SIGKILL');
    expect((await first)['failed']).toBeUndefined();
    await a.exited;
    expect(await share(client, 50)).toEqual({ b: 50 });
    await processes.start('a', a.port);
    await eventually(async () => expect(await share(client, 20)).toEqual({ a: 10, b: 10 }));
  });

  it('when one says NOT_SERVING, then it gets nothing new until it serves again', async () => {
    const [a, b] = (await startTwo()) as [EchoProcess, EchoProcess];
    const client = await connectBoth(addressesOf([a, b]));
    a.tell('stop serving');
    await eventually(async () => expect(await share(client, 10)).toEqual({ b: 10 }));
    expect(await share(client, 50)).toEqual({ b: 50 });
    a.tell('serve');
    await eventually(async () => expect(await share(client, 10)).toEqual({ a: 5, b: 5 }));
  });

  it('when all say NOT_SERVING, then all are called: a response at once is worth more than a deadline', async () => {
    const servers = await startTwo();
    const client = await connectBoth(addressesOf(servers), { defaultDeadlineMs: 1_000 });
    for (const one of servers) {
      one.tell('stop serving');
      const only = one.name === 'a' ? 'b' : undefined;
      await eventually(async () =>
        expect(Object.keys(await share(client, 10)).sort()).toEqual(only ? [only] : ['a', 'b']),
      );
    }
  });

  it('when one is frozen, then keep-alive finds out and the other responds; thawed, it shares again', async () => {
    const [a, b] = (await startTwo()) as [EchoProcess, EchoProcess];
    const client = await connectBoth(addressesOf([a, b]), {
      channelOptions: KEEP_ALIVE,
      defaultDeadlineMs: 60_000,
    });
    a.signal('SIGSTOP');
    const during = await share(client, 20);
    a.signal('SIGCONT');
    // What the frozen one had is sent to the other once the connection is given up.
    expect(during).toEqual({ b: 20 });
    await eventually(async () => expect(await share(client, 10)).toEqual({ a: 5, b: 5 }));
  });

  it('when one leaves, then no call is lost, also of those that must not be sent twice', async () => {
    const [a, b] = (await startTwo()) as [EchoProcess, EchoProcess];
    const client = await connectBoth(addressesOf([a, b]), { definition: echoThatIs('IDEMPOTENCY_UNKNOWN') });
    const counts: Record<string, number> = {};
    let isLeaving = true;
    const caller = async (): Promise<void> => {
      while (isLeaving) {
        const name = await client.say({ text: 'slow' }, aCall).then(
          ({ text }) => text,
          (error: Error) => `failed: ${String(error.cause)}`,
        );
        counts[name] = (counts[name] ?? 0) + 1;
      }
    };
    const callers = Array.from({ length: 50 }, caller);
    await eventually(() => Promise.resolve(expect(counts['a']).toBeGreaterThan(50)));
    a.tell('drain');
    await a.exited;
    isLeaving = false;
    await Promise.all(callers);
    expect(Object.keys(counts).sort()).toEqual(['a', 'b']);
  });
});
