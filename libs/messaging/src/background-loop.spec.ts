import { afterEach, expect, it, jest } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { BackgroundLoop } from './background-loop';

afterEach(() => {
  jest.useRealTimers();
});

it('when a loop fails, then being woken does not shorten its rest, and being stopped ends it', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  let runs = 0;
  const loop = new BackgroundLoop(
    () => {
      runs += 1;
      return Promise.reject(new Error('the bus is away'));
    },
    () => undefined,
  );
  for (let n = 0; n < 100; n += 1) {
    loop.wake();
    await turn();
  }
  expect(runs).toBe(1);
  jest.advanceTimersByTime(100);
  await turn();
  expect(runs).toBe(2);
  await loop.stop();
});
