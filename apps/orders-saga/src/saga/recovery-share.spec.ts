import { describe, expect, it } from '@jest/globals';
import { LaneSlots } from './lane-slots';
import { RecoveryShare } from './recovery-share';

/** A share, and the seconds in which it is looked at as often as recovery claims. */
function sharing(start: { fresh: boolean; queuedMs: number }) {
  const seen = { ...start };
  let now = 0;
  const share = new RecoveryShare({ isFreshUnderWay: () => seen.fresh, queuedMs: () => seen.queuedMs });
  const pass = (seconds: number): number => {
    for (const until = now + seconds * 1_000; now < until; now += 50) share.adjust(now);
    return share.value;
  };
  return { seen, pass, share };
}

describe('the share of recovery', () => {
  it('when fresh orders stand in line, then it falls within two seconds, never to nothing, and comes back without a line', () => {
    const { seen, pass } = sharing({ fresh: true, queuedMs: 40 });
    expect(pass(2)).toBeCloseTo(0.1);
    expect(pass(60)).toBeCloseTo(0.1);
    seen.queuedMs = 1;
    expect(pass(5)).toBeCloseTo(0.6);
    expect(pass(5)).toBeCloseTo(1);
  });

  it('when the last fresh order is over, then recovery has all of its lanes within two seconds', () => {
    const { seen, pass } = sharing({ fresh: true, queuedMs: 40 });
    pass(2);
    seen.fresh = false;
    expect(pass(2)).toBeCloseTo(1);
  });

  it('when there are no fresh orders, or nothing stands in line, then recovery has all of its lanes', () => {
    expect(sharing({ fresh: false, queuedMs: 40 }).pass(10)).toBe(1);
    expect(sharing({ fresh: true, queuedMs: 4 }).pass(10)).toBe(1);
  });

  it('when the share is least, then a lane of any size keeps a slot, and what runs is let be', () => {
    const { seen, pass, share } = sharing({ fresh: false, queuedMs: 40 });
    const slots = new LaneSlots(
      new Map([
        ['settlement', 20],
        ['vendor:one', 2],
      ]),
      2,
      () => share.value,
    );
    const running = Array.from({ length: 20 }, () => slots.take('settlement'));
    seen.fresh = true;
    pass(2);
    expect(slots.freeSlots()).toEqual([
      { lane: 'lapsed', slots: 1 },
      { lane: 'settlement', slots: 0 },
      { lane: 'vendor:one', slots: 1 },
    ]);
    for (const slot of running.slice(1)) slot.free();
    expect(slots.freeSlots()).toContainEqual({ lane: 'settlement', slots: 1 });
  });
});
