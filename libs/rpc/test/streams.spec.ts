import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@reseller/errors';
import { silentLog } from '@reseller/testing';
import { createRpcClient, defineRpc, RpcServer, type CallContext, type RpcHandlers } from '../src';
import { EchoServiceService } from './echo-definition';

const { say } = EchoServiceService;
/** One response for a stream of messages. */
const StreamService = { say: { ...say, requestStream: true as const } };
type Handler = RpcHandlers<typeof StreamService>['say'];

const CALL: CallContext = { requestId: 'r-1' };
const LARGE = 'x'.repeat(64 * 1024);

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(handler: Handler) {
  const server = new RpcServer({ services: [defineRpc(StreamService, { say: handler })], log: silentLog });
  ends.push(() => server.drain(0));
  const port = await server.listen('127.0.0.1', 0);
  server.setServing(true);
  const client = createRpcClient(StreamService, `127.0.0.1:${port}`, {
    name: 'echo',
    defaultDeadlineMs: 60_000,
  });
  ends.push(() => client.close());
  return client;
}

/** Messages that a source makes as they are taken. */
function source(count: number, text = LARGE) {
  const made = { count: 0 };
  async function* messages() {
    for (; made.count < count; made.count += 1) yield { text };
  }
  return { made, messages: messages() };
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code;

describe('a call with a stream of messages', () => {
  it('when all have come, then the handler had them in order with its context, and its response is the call’s', async () => {
    const client = await start(async (requests, { requestId }) => {
      const texts: string[] = [];
      for await (const { text } of requests) texts.push(text);
      return { text: `${requestId} ${texts.join()}` };
    });
    async function* messages() {
      for (const text of ['a', 'b', 'c']) yield { text };
    }
    expect(await client.say(messages(), CALL)).toEqual({ text: 'r-1 a,b,c' });
  });

  it('when the handler refuses in the middle, then the call fails with its error, and the source is not emptied', async () => {
    const client = await start(async (requests) => {
      for await (const _ of requests) throw new AppError('BUSINESS_CART_EMPTY', { reason: 'first' });
      return { text: '' };
    });
    const { made, messages } = source(2_000);
    await expect(client.say(messages, CALL)).rejects.toMatchObject({
      code: 'BUSINESS_CART_EMPTY',
      details: { reason: 'first' },
    });
    expect(made.count).toBeLessThan(1_000);
  });

  it('when the handler takes nothing yet, then little is made ahead of it', async () => {
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    let taken = 0;
    const client = await start(async (requests) => {
      await held;
      for await (const _ of requests) taken += 1;
      return { text: String(taken) };
    });
    const { made, messages } = source(500);
    const called = client.say(messages, CALL);
    // As soon as nothing moves any more.
    for (let before = -1; before !== made.count;) {
      before = made.count;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(made.count).toBeLessThan(250);
    goOn();
    expect(await called).toEqual({ text: '500' });
  });

  it('when the source fails, then so does the call, with what it threw', async () => {
    const client = await start(async (requests) => {
      for await (const _ of requests);
      return { text: '' };
    });
    async function* failing() {
      yield { text: 'a' };
      throw new AppError('VALIDATION_MALFORMED_JSON');
    }
    const failed = await client.say(failing(), CALL).catch((error: unknown) => error);
    expect(codeOf(failed)).toBe('VALIDATION_MALFORMED_JSON');
  });

  it('when the deadline passes before the last message, then the handler waits for it no longer', async () => {
    let end: (code: unknown) => void = () => undefined;
    const ended = new Promise<unknown>((resolve) => (end = resolve));
    const client = await start(async (requests) => {
      try {
        for await (const _ of requests);
        end('all');
      } catch (error) {
        end(codeOf(error));
        throw error;
      }
      return { text: '' };
    });
    async function* endless() {
      yield { text: 'a' };
      await ended;
    }
    const failed = await client.say(endless(), CALL, { deadlineMs: 300 }).catch((error: unknown) => error);
    expect(codeOf(failed)).toBe('SERVICE_UNAVAILABLE');
    expect(await ended).not.toBeUndefined();
  });

  it('when nobody listens, then it is SERVICE_UNAVAILABLE by its deadline', async () => {
    const client = createRpcClient(StreamService, '127.0.0.1:1', { name: 'echo', defaultDeadlineMs: 300 });
    ends.push(() => client.close());
    const failed = await client.say(source(3).messages, CALL).catch((error: unknown) => error);
    expect(codeOf(failed)).toBe('SERVICE_UNAVAILABLE');
  });
});
