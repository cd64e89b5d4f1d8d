import { describe, expect, it } from '@jest/globals';
import { LaneSlots } from './lane-slots';

const slots = (): LaneSlots => new LaneSlots(new Map([['settlement', 4]]), 2);
const freeIn = (all: LaneSlots, lane: string): number | undefined =>
  all.freeSlots().find((each) => each.lane === lane)?.slots;

describe('LaneSlots', () => {
  it('when a claim filled all free slots, then the next is worth its trip once half of the slots are free', () => {
    const all = slots();
    const taken = Array.from({ length: 4 }, () => all.take('settlement'));
    all.claimed(
      [{ lane: 'settlement', slots: 4 }],
      taken.map(() => 'settlement'),
    );
    expect(taken.map((slot) => slot.free())).toEqual([false, true, true, true]);
    expect(freeIn(all, 'settlement')).toBe(4);
  });

  it('when a claim found less than there were free slots, then nothing more is to be claimed before the next look', () => {
    const all = slots();
    const slot = all.take('settlement');
    all.claimed([{ lane: 'settlement', slots: 4 }], ['settlement']);
    expect(slot.free()).toBe(false);
  });

  it('when the lane that a saga belongs to is full, then it does not go over, and keeps the slot that it has', () => {
    const all = slots();
    const [first, second, late] = ['lapsed', 'lapsed', 'lapsed'].map((lane) => all.take(lane));
    expect([first, second, late].map((slot) => slot?.moveTo('vendor:slow'))).toEqual([true, true, false]);
    expect([freeIn(all, 'vendor:slow'), freeIn(all, 'lapsed')]).toEqual([0, 1]);
  });
});
