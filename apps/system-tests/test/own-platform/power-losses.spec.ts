import { expect, test } from '@jest/globals';
import { kafkaMissing } from '@reseller/testing';
import { missingPackages } from '../../src/failover/cluster';
import { runPowerLosses } from '../../src/power/run-power-losses';

const packages = missingPackages().join(', ');
const missing = kafkaMissing() ?? (packages && `no ${packages} of Debian's here`);
const skipped = missing ? `, skipped: ${missing}` : '';

/** Some seconds of what `npm run kafka-drill` and `npm run failover-drill` do for longer, with every fault. */
(missing ? test.skip : test)(
  `when a broker of three loses its power under load and comes back, and then the primary of PostgreSQL does, then its standby takes over, and no order and no event is lost, changed or out of order${skipped}`,
  async () => {
    expect(await runPowerLosses({ seconds: 2, clients: 3, restMs: 500 })).toEqual([]);
  },
  600_000,
);
