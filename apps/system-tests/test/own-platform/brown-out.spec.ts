import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CELLS } from '../../src/brown-out/cells';
import { runBrownOut, startBrownOutPlatform, type BrownOutPlatform } from '../../src/brown-out/run-brown-out';

/** Some of what `npm run brown-out` does for longer, for every part, and with an eye on the clock. */
const SOME = ['finance, half-open', 'database:orders-saga, disk full', 'database:notifier, read-only'];
const SECONDS = 3;

let platform: BrownOutPlatform;
beforeAll(async () => {
  platform = await startBrownOutPlatform();
});
afterAll(() => platform?.stop());

test.each(CELLS.filter(({ name }) => SOME.includes(name)))(
  'when the fault is $name, then partners get a success or SERVICE_UNAVAILABLE with Retry-After, who needs nothing of it is served, and nothing is lost or doubled (spec §1.10)',
  async (cell) => {
    const { faults, samples } = await runBrownOut(cell, { seconds: SECONDS, isTimed: false }, platform);
    expect(faults).toEqual([]);
    expect(samples.map(({ code }) => code)).toContain('SERVICE_UNAVAILABLE');
  },
  180_000,
);
