import { describe, expect, it } from '@jest/globals';
import { OrderStatus, type ScentOrder } from '@reseller/contracts';
import { codeOf, eventually } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { ParkingLot, STEPS } from './parked-scents';
import { createScent, scent } from './start-orders';
import { itSurvives, useCrash, type Death, type PartnerCall } from './use-crash';

const PARKING = { SAGA_PARK_AFTER_MS: '80', SAGA_BUDGET_MS: '50' };
const [, , SETTLE, COMMIT] = STEPS;

const stage = useCrash({ env: PARKING });
const lot = (): ParkingLot => new ParkingLot(stage.survivor, stage.finance, stage.shop, stage.database);

async function failingSince(): Promise<Date | undefined> {
  const { rows } = await stage.database.pool.query<{ since: Date }>(
    'SELECT failing_since AS since FROM sagas WHERE failures > 0 ORDER BY order_id DESC LIMIT 1',
  );
  return rows[0]?.since;
}

/** An order that is parked by `park`, and undone by an operator through a process that dies. */
const undone = (
  point: CrashPoint,
  sentence: string,
  refunds: number,
  park: (call: PartnerCall) => Promise<ScentOrder>,
): Death => ({
  point,
  sentence,
  async begin() {
    const call = stage.buyer();
    const order = await park(call);
    stage.finance.recover();
    stage.shop.recover();
    return {
      act: (doomed) =>
        lot()
          .resolve(order, OrderStatus.FAILED, doomed)
          .catch(() => undefined),
      async check() {
        await eventually(async () => {
          const { order: now } = await stage.survivor.scents.getScentOrder(order, call);
          expect(now?.status).toBe(OrderStatus.FAILED);
        });
        await lot().expectUndone(order, OrderStatus.FAILED, call);
        expect(stage.finance.refundsOf(order.orderGlobalId).size).toBe(refunds);
      },
    };
  },
});

const COMMITTED: readonly CrashPoint[] = [
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
];
const NOT_CHARGED: readonly CrashPoint[] = ['funds.release.before', 'funds.release.after'];

describe('a process killed while an order is undone (spec §7.3)', () =>
  itSurvives(stage, [
    ...COMMITTED.map((point) =>
      undone(point, `when it dies at ${point} of a committed one, then all of it is undone once`, 1, (call) =>
        lot().parkBehindEffect(COMMIT, call),
      ),
    ),
    ...NOT_CHARGED.map((point) =>
      undone(
        point,
        `when it dies at ${point} of one that was not charged, then its hold is free and its cart too`,
        0,
        (call) => lot().park(SETTLE, call),
      ),
    ),
  ]));

describe('a process killed while an order fails for good (spec §7.3)', () => {
  it('when it dies after a failure is counted, then the count goes on where it was', async () => {
    const call = stage.buyer();
    const request = scent();
    stage.finance.fail('settleOrder', 'INTERNAL_ERROR');
    await stage.survivor.stop();
    // On a busy machine the budget can end before the step: then it goes on by itself.
    const doomed = await stage.doom('failure.note.after', { RECOVERY_INTERVAL_MS: '20' });
    expect(await codeOf(createScent(doomed, request, call))).toBe('SERVICE_UNAVAILABLE');
    await stage.untilDead();
    const since = await failingSince();
    await stage.startSurvivor();
    await stage.lapseLeases();
    await lot().parked(request, call);
    expect(since).toBeInstanceOf(Date);
    expect(await failingSince()).toEqual(since);
  });

  it('when it dies after the order is parked, then it is parked and can be decided', async () => {
    const call = stage.buyer();
    const request = scent();
    stage.finance.fail('settleOrder', 'INTERNAL_ERROR');
    await stage.survivor.stop();
    const doomed = await stage.doom('order.park.after', { RECOVERY_INTERVAL_MS: '20' });
    await createScent(doomed, request, call).catch(() => undefined);
    await stage.untilDead();
    await stage.startSurvivor();
    const order = await lot().parked(request, call);
    await lot().resolve(order, OrderStatus.FAILED);
    stage.finance.recover();
    await lot().expectUndone(order, OrderStatus.FAILED, call);
  });
});
