import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApprovalStatus, OrderStatus, type TopupOrder } from '@reseller/contracts';
import { codeOf, eventually, olga, omar } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { approvalOf, liveOrder } from './live-orders';
import { adapterOf, ScriptedVendor } from './scripted-vendor';
import { eventsOf } from './start-orders';
import { useCrash } from './use-crash';

const stage = useCrash({ env: { FOUR_EYES_ABOVE_SAR: '9.99' }, live: () => [adapterOf(vendor, 1)] });
let vendor: ScriptedVendor;
beforeAll(async () => {
  vendor = await new ScriptedVendor('acme').start();
});
afterAll(() => vendor.stop());

const stateOf = async (approvalId: string) =>
  (await stage.survivor.approvals.getApproval({ approvalId }, olga)).approval?.status;
const statusOf = async ({ orderGlobalId }: TopupOrder) =>
  (await stage.survivor.operations.getOrderTimeline({ orderGlobalId }, olga)).summary?.status;

async function expectReversedOnce(order: TopupOrder): Promise<void> {
  await eventually(async () => expect(await statusOf(order)).toBe(OrderStatus.REVERSED));
  expect(stage.finance.available()).toBe('1000.00');
  expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
}

describe('a process killed while a reversal is approved (spec §18.3)', () => {
  it('when it dies after the approval was made, then repeating the request returns that approval', async () => {
    const order = await liveOrder(stage.survivor);
    expect(await codeOf(approvalOf(await stage.doom('approval.request.after'), order))).toBe(
      'SERVICE_UNAVAILABLE',
    );
    await stage.untilDead();
    const { rows } = await stage.database.pool.query<{ id: string }>(
      'SELECT id FROM approvals WHERE subject = $1',
      [order.orderGlobalId],
    );
    expect(rows).toEqual([{ id: await approvalOf(stage.survivor, order, omar) }]);
    expect(await statusOf(order)).toBe(OrderStatus.COMPLETED);
  });

  it('when it dies before decision and approval are committed, then neither is there, and it can be approved', async () => {
    const order = await liveOrder(stage.survivor);
    const approvalId = await approvalOf(stage.survivor, order);
    const doomed = await stage.doom('approval.record.before');
    expect(await codeOf(doomed.approvals.approveApproval({ approvalId }, omar))).toBe('SERVICE_UNAVAILABLE');
    await stage.untilDead();
    await stage.lapseLeases();
    await eventually(async () => expect(await stateOf(approvalId)).toBe(ApprovalStatus.PENDING));
    expect(stage.finance.available()).toBe('990.00');
    await stage.survivor.approvals.approveApproval({ approvalId }, omar);
    await expectReversedOnce(order);
  });

  it.each<CrashPoint>([
    'decision.record.after',
    'funds.refund.before',
    'funds.refund.after',
    'order.end.after',
  ])('when it dies at %s, then the approval stands and the order is reversed once', async (point) => {
    const order = await liveOrder(stage.survivor);
    const approvalId = await approvalOf(stage.survivor, order);
    const doomed = await stage.doom(point);
    expect(await codeOf(doomed.approvals.approveApproval({ approvalId }, omar))).toBe('SERVICE_UNAVAILABLE');
    await stage.untilDead();
    expect(await stateOf(approvalId)).toBe(ApprovalStatus.APPROVED);
    await stage.lapseLeases();
    await expectReversedOnce(order);
    expect(await codeOf(stage.survivor.approvals.approveApproval({ approvalId }, omar))).toBe(
      'CONFLICT_APPROVAL_DECIDED',
    );
  });
});
