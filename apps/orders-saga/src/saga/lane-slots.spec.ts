import { describe, expect, it } from '@jest/globals';
import { LaneSlots } from './lane-slots';

const slots = (): LaneSlots => new LaneSlots(new Map([['settlement', 4]]), 2);
const roomOf = (all: LaneSlots, lane: string): number | undefined =>
  all.rooms().find((each) => each.lane === lane)?.room;

describe('LaneSlots', () => {
  it('when a claim took all there was room for, then the next is worth its trip once half of the slots are free', () => {
    const all = slots();
    const taken = Array.from({ length: 4 }, () => all.take('settlement'));
    all.claimed(
      [{ lane: 'settlement', room: 4 }],
      taken.map(() => 'settlement'),
    );
    expect(taken.map((slot) => slot.free())).toEqual([false, true, true, true]);
    expect(roomOf(all, 'settlement')).toBe(4);
  });

  it('when a claim found less than there was room for, then nothing more is to be claimed before the next look', () => {
    const all = slots();
    const slot = all.take('settlement');
    all.claimed([{ lane: 'settlement', room: 4 }], ['settlement']);
    expect(slot.free()).toBe(false);
  });

  it('when the lane that a saga belongs to is full, then it does not go over, and keeps the slot that it has', () => {
    const all = slots();
    const [first, second, late] = ['lapsed', 'lapsed', 'lapsed'].map((lane) => all.take(lane));
    expect([first, second, late].map((slot) => slot?.moveTo('vendor:slow'))).toEqual([true, true, false]);
    expect([roomOf(all, 'vendor:slow'), roomOf(all, 'lapsed')]).toEqual([0, 1]);
  });
});
