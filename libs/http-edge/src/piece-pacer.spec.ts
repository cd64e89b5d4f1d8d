import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { PiecePacer } from './piece-pacer';

describe('bodies in small pieces (spec §14.1)', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['performance'] }));
  afterEach(() => void jest.useRealTimers());

  it('when many send without end, then they take turns and leave four fifths of the time to others', () => {
    let now = 0;
    let worked = 0;
    const turns: number[] = [];
    const pacer = new PiecePacer(() => now);
    const readOn = (sender: number) => (): void => {
      turns.push(sender);
      now += 15;
      worked += 15;
      pacer.rest(15, readOn(sender));
    };
    for (let sender = 0; sender < 8; sender += 1) pacer.rest(15, readOn(sender));
    const from = now;
    while (turns.length < 80) {
      now += 1;
      jest.advanceTimersByTime(1);
    }
    expect(turns.slice(0, 16)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]);
    expect(worked / (now - from)).toBeLessThanOrEqual(0.2);
  });

  it('when a sender has nothing more in its turn, then the next does not wait for it', () => {
    let now = 0;
    const turns: string[] = [];
    const pacer = new PiecePacer(() => now);
    pacer.rest(1, () => void turns.push('silent'));
    pacer.rest(1, () => void turns.push('next'));
    for (; now < 50; now += 1) jest.advanceTimersByTime(1);
    expect(turns).toEqual(['silent', 'next']);
  });
});
