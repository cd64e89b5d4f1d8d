import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import { LeaseManager, type LeaseStore } from './lease-manager';

const HOUR = 3_600_000;

/** A manager of leases of an hour, with the renewals that it requested. */
function keep(renewLeases: LeaseStore['renewLeases']) {
  const requested: string[][] = [];
  const store: LeaseStore = {
    renewLeases: (leases, ms) => {
      requested.push(leases.map(({ orderId }) => orderId));
      return renewLeases(leases, ms);
    },
  };
  return { manager: new LeaseManager(store, { owner: 'one', leaseMs: HOUR, log: silentLog }), requested };
}

const every =
  (isRenewed: boolean): LeaseStore['renewLeases'] =>
  (leases) =>
    Promise.resolve(new Map(leases.map(({ orderId }) => [orderId, isRenewed])));
const all = every(true);
const ago = (ms: number): number => performance.now() - ms;

describe('LeaseManager', () => {
  it('when leases are looked at, then only those past half of their time are renewed', async () => {
    const { manager, requested } = keep(all);
    manager.hold('fresh', '1', ago(0.4 * HOUR));
    manager.hold('old', '1', ago(0.6 * HOUR));
    manager.hold('done', '1', ago(0.6 * HOUR)).release();
    await manager.renew();
    await manager.renew();
    expect(requested).toEqual([['old']]);
  });

  it('when renewals fail, even past the lease’s time, then none is given up and the next one keeps it', async () => {
    let failures = 3;
    const { manager } = keep((leases, ms) =>
      failures-- > 0 ? Promise.reject(new Error('the pool is busy')) : all(leases, ms),
    );
    const lease = manager.hold('order', '1', ago(1.1 * HOUR));
    // Each resolves: a job that failed would wait longer and longer.
    for (let look = 0; look < 3; look += 1) await manager.renew();
    expect([lease.isHeld(), lease.signal.aborted]).toEqual([false, false]);
    await manager.renew();
    expect([lease.isHeld(), lease.signal.aborted]).toEqual([true, false]);
  });

  it('when somebody holds its saga, then a lease is neither prolonged nor given up', async () => {
    const { manager } = keep(every(false));
    const [lease, past] = [manager.hold('due', '1', ago(0.6 * HOUR)), manager.hold('past', '1', ago(HOUR))];
    await manager.renew();
    expect([lease.isHeld(), lease.signal.aborted]).toEqual([true, false]);
    expect([past.isHeld(), past.signal.aborted]).toEqual([false, false]);
  });

  it('when the database does not name a lease any more, then its driver is stopped', async () => {
    const { manager } = keep(() => Promise.resolve(new Map()));
    const lease = manager.hold('order', '1', ago(0.6 * HOUR));
    await manager.renew();
    expect([lease.isHeld(), lease.signal.aborted]).toEqual([false, true]);
  });
});
