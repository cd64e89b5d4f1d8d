import { expect, test } from '@jest/globals';
import { missingPackages } from '../../src/failover/cluster';
import { runFailover } from '../../src/failover/run-failover';

const missing = missingPackages();
const skipped = missing.length > 0 ? `, skipped: no ${missing.join(', ')} of Debian's here` : '';

(missing.length > 0 ? test.skip : test)(
  `when the primary of PostgreSQL loses its power under load, then its standby takes over, and no acknowledged order is lost or changed${skipped}`,
  async () => {
    const { faults } = await runFailover('kill', { seconds: 2, clients: 3, restMs: 500 });
    expect(faults).toEqual([]);
  },
  600_000,
);
