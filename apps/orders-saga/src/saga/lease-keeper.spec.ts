import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@reseller/testing';
import { LeaseKeeper, type LeaseStore } from './lease-keeper';

const HOUR = 3_600_000;

/** A keeper of leases of an hour, with what it asked of its store. */
function keep(renewLeases: LeaseStore['renewLeases']) {
  const requested: string[][] = [];
  const store: LeaseStore = {
    renewLeases: (leases, ms) => {
      requested.push(leases.map(({ orderId }) => orderId));
      return renewLeases(leases, ms);
    },
  };
  return { keeper: new LeaseKeeper(store, { owner: 'one', leaseMs: HOUR, log: silentLog }), requested };
}

const all: LeaseStore['renewLeases'] = (leases) => Promise.resolve(leases.map(({ orderId }) => orderId));
const ago = (ms: number): number => performance.now() - ms;

describe('LeaseKeeper', () => {
  it('when leases are looked at, then only those past half of their time are renewed', async () => {
    const { keeper, requested } = keep(all);
    keeper.hold('fresh', '1', ago(0.4 * HOUR));
    keeper.hold('old', '1', ago(0.6 * HOUR));
    keeper.hold('done', '1', ago(0.6 * HOUR)).release();
    await keeper.renew();
    await keeper.renew();
    expect(requested).toEqual([['old']]);
  });

  it('when renewals fail, even past the lease’s time, then none is given up and the next one keeps it', async () => {
    let failures = 3;
    const { keeper } = keep((leases, ms) =>
      failures-- > 0 ? Promise.reject(new Error('the pool is busy')) : all(leases, ms),
    );
    const lease = keeper.hold('order', '1', ago(1.1 * HOUR));
    // Each resolves: a job that failed would wait longer and longer.
    for (let look = 0; look < 3; look += 1) await keeper.renew();
    expect([lease.isHeld(), lease.signal.aborted]).toEqual([false, false]);
    await keeper.renew();
    expect([lease.isHeld(), lease.signal.aborted]).toEqual([true, false]);
  });

  it('when the database does not name a lease any more, then its driver is stopped', async () => {
    const { keeper } = keep(() => Promise.resolve([]));
    const lease = keeper.hold('order', '1', ago(0.6 * HOUR));
    await keeper.renew();
    expect([lease.isHeld(), lease.signal.aborted]).toEqual([false, true]);
  });
});
