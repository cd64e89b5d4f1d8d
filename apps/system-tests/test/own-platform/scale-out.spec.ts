import { expect, it } from '@jest/globals';
import { redisMissing } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { runScaleOut } from '../../src/scale/run-scale-out';

/** Some seconds of what `npm run scale-out` does for longer, on Kafka and Redis for real. */
describeWith(redisMissing(), 'several of every service', () => {
  it('when two of every service die under load and are then restarted, then nothing is lost or doubled and nobody is idle', async () => {
    const { violations, orders, stops } = await runScaleOut({
      mode: 'both',
      instances: 2,
      seconds: 5,
      seed: 20,
      workers: 2,
      pauseMs: [100, 400],
      bus: 'kafka',
      hasStorms: false,
      restarted: 'last of each',
      isTimed: false,
      isPooled: false,
    });
    expect(violations).toEqual([]);
    expect(orders).toBeGreaterThan(20);
    expect(stops).toHaveLength(7);
  }, 600_000);
});
