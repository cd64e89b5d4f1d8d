import { getEventListeners } from 'node:events';
import timers, { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { Consumer, Kafka } from 'kafkajs';
import { ConsumerSession, type SessionDeps } from './consumer-session';

type Listener = (event: { payload: { error: Error } }) => void;

/** A consumer of a broker that never has anything, and the session that runs it. */
function startSession(signal: AbortSignal): { ended: Promise<void>; crash: Listener } {
  const listeners = new Map<string, Listener>();
  const done = (): Promise<void> => Promise.resolve();
  const consumer = {
    events: {
      CRASH: 'crash',
      GROUP_JOIN: 'join',
      HEARTBEAT: 'beat',
      FETCH_START: 'fetch',
      CONNECT: 'connect',
    },
    on: (name: string, listener: Listener) => listeners.set(name, listener),
    connect: done,
    subscribe: done,
    run: done,
  } as unknown as Consumer;
  const session = new ConsumerSession({
    makeClient: () => ({ consumer: () => consumer }) as unknown as Kafka,
    topics: new Map(),
    sessionTimeoutMs: 10_000,
  } as SessionDeps);
  return { ended: session.run(signal), crash: (event) => listeners.get('crash')?.(event) };
}

describe('a consumer session', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it('when it has waited a thousand times, then nothing that lives as long as it does has grown with each', async () => {
    let waits = 0;
    jest.spyOn(timers, 'setTimeout').mockImplementation(async () => {
      waits += 1;
      await turn();
    });
    const reactions = new Map<unknown, number>();
    // The function itself, for what it is called on.
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const { then } = Promise.prototype;
    jest.spyOn(Promise.prototype, 'then').mockImplementation(function (this: Promise<unknown>, ...handlers) {
      reactions.set(this, (reactions.get(this) ?? 0) + 1);
      return then.apply(this, handlers);
    });
    const stop = new AbortController();
    const { ended } = startSession(stop.signal);
    while (waits < 1_000) await turn();
    expect(Math.max(...reactions.values())).toBeLessThan(10);
    expect(getEventListeners(stop.signal, 'abort').length).toBeLessThan(10);
    stop.abort();
    await ended;
  });

  it('when its consumer crashes while it waits, then it ends at once, with what the crash was', async () => {
    const { ended, crash } = startSession(new AbortController().signal);
    await turn();
    crash({ payload: { error: new Error('the coordinator is gone') } });
    await expect(ended).rejects.toThrow('the coordinator is gone');
  });
});
