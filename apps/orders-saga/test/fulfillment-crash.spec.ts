import { describe, expect, it } from '@jest/globals';
import { codeOf, eventually } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { TASK_POINTS } from './crash-cells';
import { PaidOrder, storyOf } from './fulfillment';
import { callOf, operator } from './start-orders';
import { useCrash } from './use-crash';

// No lease ends by time in here: what a process leaves behind is carried on since it is gone.
const LEASES = { SAGA_LEASE_MS: '3600000', TASK_LEASE_MS: '3600000', OWNER_GRACE_MS: '100' };

const stage = useCrash({ env: LEASES });

async function dieAt(
  point: CrashPoint,
  order: PaidOrder,
  act: (order: PaidOrder) => Promise<unknown>,
): Promise<void> {
  expect(await codeOf(act(order.through(await stage.doom(point))))).toBe('SERVICE_UNAVAILABLE');
  await stage.untilDead();
}
const GOODS_POINTS: readonly CrashPoint[] = TASK_POINTS.filter(
  (point) => point.startsWith('units.restock') || point.startsWith('redemption'),
);

describe('a process killed while it carries out what an operator decided (spec §7.3, §8.2)', () => {
  it.each(TASK_POINTS)(
    'when it dies at %s of cancelling the last group, then money, units and discount come back once',
    async (point) => {
      const order = await PaidOrder.place(stage.survivor, callOf());
      await order.cancel(0);
      await dieAt(point, order, (one) => one.cancel(1));
      // Nothing was decided yet: the operator decides again. Else it follows by itself.
      if (point === 'task.record.before') await order.cancel(1);
      await eventually(async () =>
        expect(await order.state()).toEqual(['CANCELLED', ['CANCELLED', 'CANCELLED'], [0, 0]]),
      );
      expect(await codeOf(order.cancel(1))).toBe('CONFLICT_FULFILLMENT_GROUP_STATUS');
      const refunds = [...stage.finance.refundsOf(order.made.orderGlobalId).values()];
      expect(refunds.map(({ refundedAmount }) => refundedAmount)).toEqual(['230.00', '40.00']);
      const [charged, ...refunded] = stage.finance.decisionsOf(order.made.orderGlobalId);
      const decided = { operator: operator.operator, requestId: operator.requestId, approvedBy: undefined };
      expect(charged).toBeUndefined();
      expect(refunded.length).toBeGreaterThanOrEqual(2);
      for (const one of refunded) expect(one).toEqual(decided);
      expect([...stage.shop.restocked.keys()]).toEqual([order.groupId(0), order.groupId(1)]);
      expect(stage.shop.givenBack.has(order.made.orderGlobalId)).toBe(true);
      expect(await storyOf(stage.database, order.made.orderId)).toEqual([
        'FulfillmentGroupChanged PROCESSING CANCELLED 0/2',
        'FulfillmentGroupChanged CANCELLED CANCELLED 0/2',
        'OrderCancelled CANCELLED 270.00',
      ]);
    },
  );

  it.each(TASK_POINTS.filter((point) => !GOODS_POINTS.includes(point)))(
    'when it dies at %s of approving a return, then it is refunded and published once',
    async (point) => {
      const order = await PaidOrder.place(stage.survivor, callOf());
      await order.handOver(0, 1);
      const { returnRequestId } = await order.requestReturn(0, 1);
      await dieAt(point, order, (one) => one.approve(returnRequestId));
      if (point === 'task.record.before') await order.approve(returnRequestId);
      await eventually(async () => expect((await order.state())[2]).toEqual([1, 0]));
      expect(await codeOf(order.approve(returnRequestId))).toBe('CONFLICT_RETURN_REQUEST_DECIDED');
      expect([...stage.finance.refundsOf(order.made.orderGlobalId).keys()]).toEqual([
        `return:${returnRequestId}`,
      ]);
      expect((await storyOf(stage.database, order.made.orderId)).slice(-2)).toEqual([
        'OrderReturned PARTIALLY_RETURNED 115.00',
        'ReturnRequestChanged PARTIALLY_RETURNED APPROVED',
      ]);
    },
  );
});
