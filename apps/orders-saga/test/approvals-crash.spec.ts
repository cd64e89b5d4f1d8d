import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { ApprovalStatus, Environment, OrderStatus, type TopupOrder } from '@reseller/contracts';
import { codeOf, eventually, olga, omar } from '@reseller/testing';
import type { CrashPoint } from '../src/crash-points';
import { approvalOf, liveOrder } from './live-orders';
import { adapterOf, ScriptedVendor } from './scripted-vendor';
import { eventsOf } from './start-orders';
import { itSurvives, useCrash, type Death, type PartnerCall } from './use-crash';

let vendor: ScriptedVendor;
beforeAll(async () => {
  vendor = await new ScriptedVendor('acme').start();
});
afterAll(() => vendor.stop());

const stage = useCrash({ env: { FOUR_EYES_ABOVE_SAR: '9.99' }, live: () => [adapterOf(vendor, 1)] });

const stateOf = async (approvalId: string) =>
  (await stage.survivor.approvals.getApproval({ approvalId }, olga)).approval?.status;
const statusOf = async ({ orderGlobalId }: TopupOrder) =>
  (await stage.survivor.operations.getOrderTimeline({ orderGlobalId }, olga)).summary?.status;

async function expectReversedOnce(order: TopupOrder, { partner }: PartnerCall): Promise<void> {
  await eventually(async () => expect(await statusOf(order)).toBe(OrderStatus.REVERSED));
  expect(stage.finance.available(partner)).toBe('1000.00');
  expect(await eventsOf(stage.database, order.orderId)).toEqual(['OrderCompleted', 'OrderReversed']);
}

const requested: Death = {
  point: 'approval.request.after',
  sentence: 'when it dies after the approval was made, then repeating the request returns that approval',
  async begin() {
    const order = await liveOrder(stage.survivor, '10.00', stage.buyer(Environment.LIVE));
    return {
      act: async (doomed) => expect(await codeOf(approvalOf(doomed, order))).toBe('SERVICE_UNAVAILABLE'),
      async check() {
        const { rows } = await stage.database.pool.query<{ id: string }>(
          'SELECT id FROM approvals WHERE subject = $1',
          [order.orderGlobalId],
        );
        expect(rows).toEqual([{ id: await approvalOf(stage.survivor, order, omar) }]);
        expect(await statusOf(order)).toBe(OrderStatus.COMPLETED);
      },
    };
  },
};

/** One that Omar approves through the process that dies. */
const approved = (
  point: CrashPoint,
  sentence: string,
  check: (order: TopupOrder, call: PartnerCall, approvalId: string) => Promise<void>,
): Death => ({
  point,
  sentence,
  async begin() {
    const call = stage.buyer(Environment.LIVE);
    const order = await liveOrder(stage.survivor, '10.00', call);
    const approvalId = await approvalOf(stage.survivor, order);
    return {
      act: async ({ approvals }) =>
        expect(await codeOf(approvals.approveApproval({ approvalId }, omar))).toBe('SERVICE_UNAVAILABLE'),
      check: () => check(order, call, approvalId),
    };
  },
});

const RECORDED: readonly CrashPoint[] = [
  'decision.record.after',
  'funds.refund.before',
  'funds.refund.after',
  'order.end.after',
];

describe('a process killed while a reversal is approved (spec §18.3)', () =>
  itSurvives(stage, [
    requested,
    approved(
      'approval.record.before',
      'when it dies before decision and approval are committed, then neither is there, and it can be approved',
      async (order, call, approvalId) => {
        await eventually(async () => expect(await stateOf(approvalId)).toBe(ApprovalStatus.PENDING));
        expect(stage.finance.available(call.partner)).toBe('990.00');
        await stage.survivor.approvals.approveApproval({ approvalId }, omar);
        await expectReversedOnce(order, call);
      },
    ),
    ...RECORDED.map((point) =>
      approved(
        point,
        `when it dies at ${point}, then the approval stands and the order is reversed once`,
        async (order, call, approvalId) => {
          expect(await stateOf(approvalId)).toBe(ApprovalStatus.APPROVED);
          await expectReversedOnce(order, call);
          expect(await codeOf(stage.survivor.approvals.approveApproval({ approvalId }, omar))).toBe(
            'CONFLICT_APPROVAL_DECIDED',
          );
        },
      ),
    ),
  ]));
