import { describe, expect, it } from '@jest/globals';
import { RelayPace } from './relay-pace';

describe("a relay's pace", () => {
  let now = 0;
  const at = (ms: number): number => (now = ms);
  const pace = (isWoken: boolean): RelayPace => new RelayPace(25, isWoken, () => now);
  /** Publishes events one by one, so many a second. */
  const publish = (of: RelayPace, perSecond: number): number => {
    let rest = 0;
    for (let n = 0; n < perSecond; n += 1) {
      at(now + 1_000 / perSecond);
      of.looks();
      rest = of.published(1);
    }
    return rest;
  };

  it('when nobody says what is committed, then it polls, and less often while nothing comes', () => {
    const of = pace(false);
    expect([1, 2, 3, 4].map(() => of.sawNothing())).toEqual([25, 50, 100, 100]);
    expect(of.published(1)).toBe(25);
  });

  it('when somebody does, then it looks at once after a rest, and polls next to never', () => {
    const of = pace(true);
    at(10_000);
    of.looks();
    expect(of.sawNothing()).toBe(1_000);
    expect(of.untilLook()).toBe(5);
    at(10_005);
    expect(of.untilLook()).toBe(0);
  });

  it('when nothing comes between its own looks, then they are further apart, up to four times, until something does', () => {
    const of = pace(true);
    expect([1, 2, 3, 4].map(() => of.sawNothing())).toEqual([1_000, 2_000, 4_000, 4_000]);
    of.published(1);
    expect(of.sawNothing()).toBe(1_000);
  });

  it('when words come and nothing is there, then it looks ever later, until something is', () => {
    const of = pace(true);
    of.looks();
    for (let n = 0; n < 10; n += 1) of.sawNothing();
    expect(of.untilLook()).toBe(100);
    of.published(1);
    expect(of.untilLook()).toBe(5);
  });

  it('when events are many, then it lets some come together', () => {
    expect(publish(pace(true), 50)).toBe(5);
    expect(publish(pace(true), 300)).toBe(25);
  });
});
