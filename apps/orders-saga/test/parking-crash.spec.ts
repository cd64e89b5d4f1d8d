import { beforeEach, describe, expect, it } from '@jest/globals';
import { OrderStatus } from '@reseller/contracts';
import { codeOf, eventually } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { ParkingLot, STEPS } from './parked-scents';
import { callOf, createScent, scent } from './start-orders';
import { useCrash } from './use-crash';

const PARKING = { SAGA_PARK_AFTER_MS: '80', SAGA_BUDGET_MS: '50' };
const [, , SETTLE, COMMIT] = STEPS;

const stage = useCrash({ env: PARKING });
let lot: ParkingLot;
const openLot = (): void => {
  lot = new ParkingLot(stage.survivor, stage.finance, stage.shop, stage.database);
};
beforeEach(openLot);

async function failingSince(): Promise<Date | undefined> {
  const { rows } = await stage.database.pool.query<{ since: Date }>(
    'SELECT failing_since AS since FROM sagas WHERE failures > 0 ORDER BY order_id DESC LIMIT 1',
  );
  return rows[0]?.since;
}

describe('a process killed while an order fails for good (spec §7.3)', () => {
  it('when it dies after a failure is counted, then the count goes on where it was', async () => {
    const call = callOf();
    const request = scent();
    stage.finance.fail('settleOrder', 'INTERNAL_ERROR');
    await stage.survivor.stop();
    // On a busy machine the budget can end before the step: then it goes on by itself.
    const doomed = await stage.doom('failure.note.after', { RECOVERY_INTERVAL_MS: '20' });
    expect(await codeOf(createScent(doomed, request, call))).toBe('SERVICE_UNAVAILABLE');
    await stage.untilDead();
    const since = await failingSince();
    await stage.startSurvivor();
    openLot();
    await stage.lapseLeases();
    await lot.parked(request, call);
    expect(since).toBeInstanceOf(Date);
    expect(await failingSince()).toEqual(since);
  });

  it('when it dies after the order is parked, then it is parked and can be decided', async () => {
    const call = callOf();
    const request = scent();
    stage.finance.fail('settleOrder', 'INTERNAL_ERROR');
    await stage.survivor.stop();
    const doomed = await stage.doom('order.park.after', { RECOVERY_INTERVAL_MS: '20' });
    await createScent(doomed, request, call).catch(() => undefined);
    await stage.untilDead();
    await stage.startSurvivor();
    openLot();
    const order = await lot.parked(request, call);
    await lot.resolve(order, OrderStatus.FAILED);
    stage.finance.recover();
    await lot.expectUndone(order, OrderStatus.FAILED, call);
  });
});

describe('a process killed while an order is undone (spec §7.3)', () => {
  it.each<CrashPoint>([
    'decision.record.after',
    'funds.refund.before',
    'funds.refund.after',
    'checkout.cancel.before',
    'checkout.cancel.after',
    'checkout.restock.before',
    'checkout.restock.after',
    'groups.cancel.before',
    'groups.cancel.after',
    'order.end.after',
  ])('when it dies at %s of a committed one, then all of it is undone once', async (point) => {
    const call = callOf();
    const order = await lot.parkBehindEffect(COMMIT, call);
    stage.shop.recover();
    await lot.resolve(order, OrderStatus.FAILED, await stage.doom(point)).catch(() => undefined);
    await stage.untilDead();
    await stage.lapseLeases();
    await eventually(async () => {
      const { order: now } = await stage.survivor.scents.getScentOrder(order, call);
      expect(now?.status).toBe(OrderStatus.FAILED);
    });
    await lot.expectUndone(order, OrderStatus.FAILED, call);
    expect(stage.finance.refundsOf(order.orderGlobalId).size).toBe(1);
  });

  it.each<CrashPoint>(['funds.release.before', 'funds.release.after'])(
    'when it dies at %s of one that was not charged, then its hold is free and its cart too',
    async (point) => {
      const call = callOf();
      const order = await lot.park(SETTLE, call);
      stage.finance.recover();
      await lot.resolve(order, OrderStatus.FAILED, await stage.doom(point)).catch(() => undefined);
      await stage.untilDead();
      await stage.lapseLeases();
      await eventually(async () => {
        const { order: now } = await stage.survivor.scents.getScentOrder(order, call);
        expect(now?.status).toBe(OrderStatus.FAILED);
      });
      await lot.expectUndone(order, OrderStatus.FAILED, call);
    },
  );
});
