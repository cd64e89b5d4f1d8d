import { expect, it } from '@jest/globals';
import { redisMissing } from '@reseller/testing';
import { describeWith } from '@reseller/testing/jest';
import { pgbouncerMissing } from '../../src/pooling/pgbouncer';
import { scaleOutThroughPooler } from '../../src/pooling/run-pooling';
import type { ScaleOptions } from '../../src/scale/options';

/** Some seconds of what `npm run scale-out` and `npm run pooling-drill` do for longer, on Kafka, Redis and PgBouncer for real. */
const options: ScaleOptions = {
  mode: 'both',
  instances: 2,
  seconds: 0,
  // Redis, the broker and thrice the pooler, and an instance.
  leastFaults: 6,
  seed: 20,
  workers: 2,
  pauseMs: [100, 400],
  bus: 'kafka',
  hasStorms: false,
  restarted: 'last of each',
  isTimed: false,
  isPooled: true,
};

describeWith(redisMissing() ?? pgbouncerMissing(), 'several of every service', () => {
  it('when two of every service behind PgBouncer, and PgBouncer itself, die under load and are then restarted, then nothing is lost or doubled, nobody is idle, and few server connections serve many', async () => {
    const { violations, orders, stops, faults, most } = await scaleOutThroughPooler(options, 3);
    expect(violations).toEqual([]);
    expect(orders).toBeGreaterThan(20);
    expect(stops).toHaveLength(7);
    expect(Object.values(faults).reduce((sum, count) => sum + count)).toBe(6);
    expect(most.clients).toBeGreaterThan(most.servers);
  }, 600_000);
});
