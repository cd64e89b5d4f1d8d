import { expect, it } from '@jest/globals';
import { redisMissing } from '@reseller/testing';
import { pgbouncerMissing } from '../../src/pooling/pgbouncer';
import { scaleOutThroughPooler } from '../../src/pooling/run-pooling';

/** Some seconds of what `npm run pooling-drill` does for longer. */
const missing = pgbouncerMissing() ?? redisMissing();
const runs = missing ? it.skip : it;

runs(
  `when services behind PgBouncer and PgBouncer itself die under load, then nothing is lost or doubled, on few server connections${missing ? ` (skipped: ${missing})` : ''}`,
  async () => {
    const { faults, most } = await scaleOutThroughPooler(
      {
        mode: 'kills',
        instances: 1,
        seconds: 6,
        seed: 18,
        workers: 2,
        pauseMs: [100, 400],
        bus: 'postgres',
        hasStorms: false,
        restarted: 'last of each',
        isTimed: false,
        isPooled: true,
      },
      3,
    );
    expect(faults).toEqual([]);
    // What runs, and the connections of two more of each service: 94 for a set.
    expect(most.clients).toBeGreaterThan(188);
  },
  600_000,
);
