import { describe, expect } from '@jest/globals';
import { codeOf, eventually } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { TASK_POINTS } from './crash-cells';
import { PaidOrder, storyOf } from './fulfillment';
import { operator } from './start-orders';
import { itSurvives, useCrash, type Death } from './use-crash';

// No lease ends by time in here: what a process leaves behind is carried on since it is gone.
const LEASES = { SAGA_LEASE_MS: '3600000', TASK_LEASE_MS: '3600000', OWNER_GRACE_MS: '100' };

const stage = useCrash({ env: LEASES });

const GOODS_POINTS: readonly CrashPoint[] = TASK_POINTS.filter(
  (point) => point.startsWith('units.restock') || point.startsWith('redemption'),
);

/** What an operator does with an order, and what holds after it was done by a process that died. */
async function decided(
  point: CrashPoint,
  order: PaidOrder,
  act: (order: PaidOrder) => Promise<unknown>,
  check: () => Promise<void>,
): ReturnType<Death['begin']> {
  return {
    act: async (doomed) => expect(await codeOf(act(order.through(doomed)))).toBe('SERVICE_UNAVAILABLE'),
    async check() {
      // Nothing was decided yet: the operator decides again. Else it follows by itself.
      if (point === 'task.record.before') await act(order);
      await check();
    },
  };
}

const cancelled = (point: CrashPoint): Death => ({
  point,
  sentence: `when it dies at ${point} of cancelling the last group, then money, units and discount come back once`,
  async begin() {
    const order = await PaidOrder.place(stage.survivor, stage.buyer());
    const { orderId, orderGlobalId } = order.made;
    const groups = [order.groupId(0), order.groupId(1)];
    await order.cancel(0);
    const cancel = (one: PaidOrder) => one.cancel(1);
    return decided(point, order, cancel, async () => {
      await eventually(async () =>
        expect(await order.state()).toEqual(['CANCELLED', ['CANCELLED', 'CANCELLED'], [0, 0]]),
      );
      expect(await codeOf(order.cancel(1))).toBe('CONFLICT_FULFILLMENT_GROUP_STATUS');
      const refunds = [...stage.finance.refundsOf(orderGlobalId).values()];
      expect(refunds.map(({ refundedAmount }) => refundedAmount)).toEqual(['230.00', '40.00']);
      const [charged, ...refunded] = stage.finance.decisionsOf(orderGlobalId);
      const by = { operator: operator.operator, requestId: operator.requestId, approvedBy: undefined };
      expect(charged).toBeUndefined();
      expect(refunded.length).toBeGreaterThanOrEqual(2);
      for (const one of refunded) expect(one).toEqual(by);
      expect(stage.shop.restocksOf(orderGlobalId)).toEqual(groups);
      expect(stage.shop.givenBack.has(orderGlobalId)).toBe(true);
      expect(await storyOf(stage.database, orderId)).toEqual([
        'FulfillmentGroupChanged PROCESSING CANCELLED 0/2',
        'FulfillmentGroupChanged CANCELLED CANCELLED 0/2',
        'OrderCancelled CANCELLED 270.00',
      ]);
    });
  },
});

const returned = (point: CrashPoint): Death => ({
  point,
  sentence: `when it dies at ${point} of approving a return, then it is refunded and published once`,
  async begin() {
    const order = await PaidOrder.place(stage.survivor, stage.buyer());
    const { orderId, orderGlobalId } = order.made;
    await order.handOver(0, 1);
    const { returnRequestId } = await order.requestReturn(0, 1);
    const approve = (one: PaidOrder) => one.approve(returnRequestId);
    return decided(point, order, approve, async () => {
      await eventually(async () => expect((await order.state())[2]).toEqual([1, 0]));
      expect(await codeOf(order.approve(returnRequestId))).toBe('CONFLICT_RETURN_REQUEST_DECIDED');
      expect([...stage.finance.refundsOf(orderGlobalId).keys()]).toEqual([`return:${returnRequestId}`]);
      expect((await storyOf(stage.database, orderId)).slice(-2)).toEqual([
        'OrderReturned PARTIALLY_RETURNED 115.00',
        'ReturnRequestChanged PARTIALLY_RETURNED APPROVED',
      ]);
    });
  },
});

describe('a process killed while it carries out what an operator decided (spec §7.3, §8.2)', () =>
  itSurvives(stage, [
    ...TASK_POINTS.map(cancelled),
    ...TASK_POINTS.filter((point) => !GOODS_POINTS.includes(point)).map(returned),
  ]));
