import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { queueDelay, readUnderWay, type CallContext } from '../src';
import { aCall, closeEchoes, connectEcho, echoThatIs, latch, startEcho } from './echo';
import { EchoProcesses } from './echo-processes';

const processes = new EchoProcesses();
afterEach(closeEchoes);
afterAll(() => processes.remove());

const unavailable = { code: 'SERVICE_UNAVAILABLE' };

describe('a server that has more than it can do', () => {
  it('when as many calls are under way as may be, then one more is refused at once, until one has ended (spec §14.2)', async () => {
    const [held, entered] = [latch<void>(), latch<void>()];
    const { port } = await startEcho(
      async (request) => {
        entered.release();
        if (request.text === 'long') await held.promise;
        return request;
      },
      { maxUnderWay: 1 },
    );
    const client = connectEcho(port);
    const first = client.say({ text: 'long' }, aCall);
    await entered.promise;
    await expect(client.say({ text: 'short' }, aCall)).rejects.toMatchObject(unavailable);
    held.release();
    await first;
    expect(await client.say({ text: 'short' }, aCall)).toEqual({ text: 'short' });
  });

  it('when a caller gave up while the server stood still, then its call is not executed (spec §14.2)', async () => {
    const echo = await processes.start('one');
    const client = connectEcho(echo.port);
    const blocking = client.say({ text: 'block' }, aCall);
    await echo.blocked();
    const late = Array.from({ length: 5 }, () => client.say({ text: 'x' }, aCall, { deadlineMs: 50 }));
    for (const { status } of await Promise.allSettled(late)) expect(status).toBe('rejected');
    await blocking;
    expect(await client.say({ text: 'count' }, aCall)).toEqual({ text: '1' });
  });

  it('when work stands in line at a server, then it says so with each response, and with a refusal', async () => {
    const { port } = await startEcho((request) => Promise.resolve(request), {});
    const client = connectEcho(port);
    const quiet: CallContext = { requestId: 'quiet' };
    await client.say({ text: 'x' }, quiet);
    while (queueDelay.ms < 400) {
      queueDelay.note('statements', 1_000);
      await new Promise(setImmediate);
    }
    const busy: CallContext = { requestId: 'busy' };
    await client.say({ text: 'x' }, busy);
    expect(busy.queuedMs).toBeGreaterThan(100);
    expect(quiet.queuedMs ?? 0).toBeLessThan(busy.queuedMs ?? 0);
  });
});

describe('the read that code is part of', () => {
  it.each([
    ['NO_SIDE_EFFECTS', true],
    ['IDEMPOTENT', false],
  ] as const)('when a method is %s, then its queues know its deadline: %s', async (idempotency, isKnown) => {
    const definition = echoThatIs(idempotency);
    const { defineRpc, RpcServer } = await import('../src');
    let seen: unknown;
    const server = new RpcServer({
      services: [
        defineRpc(definition, {
          say: async (request) => {
            await new Promise(setImmediate);
            seen = readUnderWay()?.deadlineAt;
            return request;
          },
        }),
      ],
      log: { debug: () => undefined, warn: () => undefined, error: () => undefined },
    });
    const client = connectEcho(await server.listen('127.0.0.1', 0), { definition });
    await client.say({ text: 'x' }, aCall);
    await server.drain(1_000);
    expect(typeof seen === 'number').toBe(isKnown);
  });
});
