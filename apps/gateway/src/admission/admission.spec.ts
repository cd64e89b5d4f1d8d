import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { OverloadError } from '@reseller/http-edge';
import { AdaptiveLimit } from './adaptive-limit';
import { Admission, type Arrival } from './admission';
import { FairQueue } from './fair-queue';

const bounds = { min: 2, initial: 10, max: 100, targetMs: 50 };

/** A second of work in which this much is under way at once and stands in line for so long. */
function work(limit: AdaptiveLimit, queuedMs: number, underWayOf: () => number): void {
  for (let at = 0; at < 1_000; at += 20, clock += 20) {
    limit.started(underWayOf());
    limit.ended(queuedMs, underWayOf(), clock);
  }
}
let clock = 0;

describe('a limit that adapts', () => {
  it('when work stands in line, then it falls to its least; when none does and all of it is used, then it rises to its most', () => {
    const limit = new AdaptiveLimit(bounds);
    for (let n = 0; n < 10; n += 1) work(limit, 200, () => limit.value);
    expect(limit.value).toBe(2);
    for (let n = 0; n < 11; n += 1) work(limit, 0, () => limit.value);
    expect(limit.value).toBe(100);
  });

  it('when little of it is used, then it comes back to where it began', () => {
    const limit = new AdaptiveLimit(bounds);
    for (let n = 0; n < 10; n += 1) work(limit, 0, () => limit.value);
    for (let n = 0; n < 20; n += 1) work(limit, 0, () => 1);
    expect(limit.value).toBe(10);
    for (let n = 0; n < 10; n += 1) work(limit, 200, () => limit.value);
    for (let n = 0; n < 20; n += 1) work(limit, 0, () => 1);
    expect(limit.value).toBe(10);
  });
});

describe('a fair queue', () => {
  it('when one key has many in line, then another key’s first comes second', () => {
    const queue = new FairQueue<string>();
    for (const name of ['a1', 'a2', 'a3']) queue.push('a', name);
    expect([queue.ahead('a'), queue.ahead('b')]).toEqual([3, 1]);
    queue.push('b', 'b1');
    expect([queue.shift(), queue.shift(), queue.shift(), queue.shift(), queue.shift()]).toEqual([
      'a1',
      'b1',
      'a2',
      'a3',
      undefined,
    ]);
    expect(queue.length).toBe(0);
  });

  it('when one key has the most, then others are below their share, and the last of that key makes room', () => {
    const queue = new FairQueue<string>();
    for (const name of ['a1', 'a2']) queue.push('a', name);
    expect([queue.isBelowShare('a'), queue.isBelowShare('b')]).toEqual([false, true]);
    expect(queue.pop()).toBe('a2');
    expect([queue.isBelowShare('b'), queue.length]).toEqual([false, 1]);
  });
});

describe('the door of a class of work', () => {
  afterEach(() => {
    jest.useRealTimers();
  });
  const later = Date.now() + 60_000;
  const from = (key: string, isGone = false, deadlineAt = later): Arrival => ({
    key,
    deadlineAt,
    isGone: () => isGone,
  });
  const one = { min: 1, initial: 1, max: 1, targetMs: 50 };
  const unavailable = expect.objectContaining({
    code: 'SERVICE_UNAVAILABLE',
    details: { retryAfterSeconds: expect.any(Number) },
  });

  it('when it is full and as many wait as may, then one more is refused at once, with a time to come back (spec §14.2)', async () => {
    const door = new Admission({ ...one, maxWaiting: 1 });
    expect(door.enter(from('a'))).toBeUndefined();
    const second = door.enter(from('a'));
    expect(door.look(1_000, () => 'a')).toBeGreaterThanOrEqual(1);
    expect(() => door.enter(from('b'))).toThrow(OverloadError);
    expect([door.underWay, door.waiting, door.refused]).toEqual([1, 1, 2]);
    door.leave(0);
    await second;
    door.leave(0);
    expect([door.underWay, door.waiting]).toEqual([0, 0]);
    expect(door.enter(from('a'))).toBeUndefined();
  });

  it('when the line is full of one partner’s, then another’s first makes the last of them go (spec §14.2)', async () => {
    const door = new Admission({ ...one, maxWaiting: 2 });
    void door.enter(from('a'));
    const [first, last] = [door.enter(from('a')), door.enter(from('a'))];
    const other = door.enter(from('b'));
    await expect(last).rejects.toEqual(unavailable);
    door.leave(0);
    await first;
    door.leave(0);
    await other;
    expect([door.underWay, door.waiting]).toEqual([1, 0]);
  });

  it('when a burst comes after a quiet hour, then the hour says nothing of how fast the line moves', () => {
    jest.useFakeTimers();
    const door = new Admission({ ...one, maxWaiting: 1_000 });
    jest.advanceTimersByTime(3_600_000);
    for (let n = 0; n < 100; n += 1) void door.enter(from('a', false, Date.now() + 12_000));
    door.leave(0);
    void door.enter(from('a', false, Date.now() + 12_000));
    expect([door.refused, door.waiting]).toEqual([0, 99]);
  });

  it('when a line moved slowly and is gone for a second, then the next one is not refused for it', async () => {
    jest.useFakeTimers();
    const door = new Admission({ ...one, maxWaiting: 1_000 });
    const patient = () => from('a', false, Date.now() + 60_000);
    const burst = () => Array.from({ length: 100 }, async () => door.enter(patient()));
    const turns = Promise.allSettled(burst());
    jest.advanceTimersByTime(300);
    door.leave(0);
    expect(() => door.enter(from('a'))).toThrow(OverloadError);
    while (door.underWay > 0) door.leave(0);
    await turns;
    const { refused } = door;
    jest.advanceTimersByTime(1_001);
    void burst();
    door.leave(0);
    void door.enter(from('a'));
    expect(door.refused).toBe(refused);
  });

  it('when its turn comes after its deadline, or its caller has gone, then it does not enter (spec §14.2)', async () => {
    const door = new Admission({ ...one, maxWaiting: 10 });
    void door.enter(from('a'));
    const late = door.enter(from('a', false, Date.now() - 1));
    const gone = door.enter(from('a', true));
    const patient = door.enter(from('a'));
    const refusals = Promise.all([late, gone].map((turn) => expect(turn).rejects.toEqual(unavailable)));
    door.leave(0);
    await Promise.all([patient, refusals]);
    expect(door.underWay).toBe(1);
  });
});
