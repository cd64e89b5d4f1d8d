import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { simulateLoad, type LoadPlan } from './simulated-load';

const QUIET: LoadPlan = { perSecond: 300, baseMs: 100, refusalMs: 0.1, stallMs: 0, factor: 1, seconds: 20 };

/** What `npm run overload` holds on a machine (docs/adr/0019), in virtual time: what is left is the door's own. */
describe('a door before services that keep up with 300 orders a second (spec §14.2)', () => {
  afterEach(() => {
    jest.restoreAllMocks();
    jest.useRealTimers();
  });

  // A refusal and a stall take of what the services can do, and nothing gives that back.
  const plans: [string, Partial<LoadPlan>, goodput: number][] = [
    ['as many', { factor: 1 }, 0.95],
    ['twice as many', { factor: 2 }, 0.94],
    ['three times as many', { factor: 3 }, 0.91],
    ['three times as many, and a refusal costs a tenth of an order', { factor: 3, refusalMs: 0.3 }, 0.75],
    ['three times as many, and the services stand still now and then', { factor: 3, stallMs: 300 }, 0.83],
    ['twice as many, and an order takes hardly longer than its work', { factor: 2, baseMs: 10 }, 0.94],
  ];
  it.each(plans)(
    'when %s come, then nearly all is done that can be, soon, and the rest is refused at once',
    async (...[, plan, goodput]) => {
      const outcome = await simulateLoad({ ...QUIET, ...plan });
      expect(outcome.goodput).toBeGreaterThanOrEqual(goodput);
      expect(outcome.p99).toBeLessThanOrEqual(2_000);
      expect(outcome.refusalP99).toBeLessThanOrEqual(500);
      expect(outcome.backAfterMs).toBeLessThanOrEqual(2_000);
    },
  );

  it('when a vendor takes a second, then orders wait for it and not at the door, which lets in ever more', async () => {
    const outcome = await simulateLoad({ ...QUIET, baseMs: 1_000, factor: 3, seconds: 40 });
    expect(outcome.goodput).toBeGreaterThanOrEqual(0.7);
    expect(outcome.p99).toBeLessThanOrEqual(2_500);
  });
});
