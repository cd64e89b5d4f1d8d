import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OperatorClient } from '../../src/clients/operator-client';
import { SHORT_TIMES, startCrashPlatform } from '../../src/crash/crash-platform';
import type { CrashPlatform } from '../../src/crash/crash-platform';
import { PGBOUNCER, pgbouncerMissing } from '../../src/pooling/pgbouncer';
import { runScentStorm } from '../../src/storm/run-scent-storm';
import { runStorm } from '../../src/storm/run-storm';
import { readSeeds } from '../../src/storm/run-storms';

const { everyTime, regressions } = readSeeds();
/** `npm run storm` goes through all of them. */
const seeds = [...everyTime.slice(0, 1), ...regressions];
let platform: CrashPlatform;
beforeAll(async () => {
  // Services and the event bus reach PostgreSQL through it, where it is to be had.
  const pooled: Record<string, string> = pgbouncerMissing() ? {} : { PGBOUNCER_BIN: PGBOUNCER };
  platform = await startCrashPlatform({ ...SHORT_TIMES, ...pooled });
});
afterAll(() => platform.stop());

test.each(seeds)(
  'when storm %i is over, then orders, money, events, deliveries and every response are what the model says',
  async (seed) => {
    const { faults, orders } = await runStorm(seed, platform, new OperatorClient(platform.description));
    expect(faults).toEqual([]);
    expect(orders).toBeGreaterThan(10);
  },
  180_000,
);

test.each(seeds)(
  'when storm %i over carts is over, then orders, money, shelf, codes and every response are what the model says',
  async (seed) => {
    const { faults, orders } = await runScentStorm(seed, platform, new OperatorClient(platform.description));
    expect(faults).toEqual([]);
    expect(orders).toBeGreaterThan(3);
  },
  180_000,
);
