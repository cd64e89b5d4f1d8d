import { beforeEach, describe, expect, it } from '@jest/globals';
import { LaneCursor, type Lane } from './lane-cursor';

const lane = (id: string, since = 0): Lane => ({ id, since: new Date(since) });
const ALL = { lanes: null, madeWithinMs: null };

describe('where a worker looks for due deliveries', () => {
  let now: number;
  let cursor: LaneCursor;
  beforeEach(() => {
    now = 1_000;
    cursor = new LaneCursor(() => now);
  });

  it('when finding all takes no time, then every look is at all', () => {
    expect(cursor.look()).toEqual(ALL);
    cursor.saw(ALL, { lanes: [lane('a')], hoppingMs: 1 });
    now += 20;
    expect(cursor.look()).toEqual(ALL);
  });

  it('when finding all takes long, then it is done for a twentieth of the time, and looks between are at what is known and at what is new', () => {
    cursor.look();
    cursor.saw(ALL, { lanes: [lane('a'), lane('b', 7)], hoppingMs: 100 });
    now += 300;
    expect(cursor.look()).toEqual({ lanes: [lane('a'), lane('b', 7)], madeWithinMs: 5_300 });
    now += 1_699;
    expect(cursor.look().lanes).not.toBeNull();
    now += 1;
    expect(cursor.look()).toEqual(ALL);
  });

  it('when a look saw that a subscription has more left, less or nothing, then the next begins where that one ended', () => {
    cursor.look();
    cursor.saw(ALL, { lanes: [lane('a'), lane('b'), lane('c')], hoppingMs: 100 });
    const freed = cursor.lookAt(['a', 'b', 'unknown']);
    expect(freed).toEqual({ lanes: [lane('a'), lane('b')], madeWithinMs: null });
    cursor.saw(freed, { lanes: [lane('b', 9)], hoppingMs: 0 });
    expect(cursor.look().lanes).toEqual([lane('c'), lane('b', 9)]);
  });

  it('when a look at all finds less, then what was known before is forgotten', () => {
    cursor.saw(ALL, { lanes: [lane('a')], hoppingMs: 0 });
    cursor.saw(ALL, { lanes: [lane('b')], hoppingMs: 100 });
    expect(cursor.look().lanes).toEqual([lane('b')]);
  });

  it('when a look failed, then the next is at all', () => {
    cursor.saw(ALL, { lanes: [lane('a')], hoppingMs: 100 });
    cursor.reset();
    expect(cursor.look()).toEqual(ALL);
  });
});
