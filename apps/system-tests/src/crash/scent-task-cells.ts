import { expectSuccess } from '../clients/response';
import { halalas } from '../clients/bodies';
import { newDiscountCode, orderScents, readScentOrder, type ScentOrder } from '../clients/scents';
import { untilDead, type CrashFile } from './crash-file';
import type { ScentCell, ScentStage } from './run-scent-cell';
import { until } from '../until';

const RECORDED = ['task.record.before', 'task.record.after'];
const REFUNDED = ['units.refund.before', 'units.refund.after'];
const ENDED = ['task.end.before', 'task.end.after'];

/** Boundaries that the cancellation of a whole order passes. */
const CANCELLED = [
  ...RECORDED,
  ...REFUNDED,
  'units.restock.before',
  'units.restock.after',
  'redemption.give-back.before',
  'redemption.give-back.after',
  ...ENDED,
];

/** Boundaries that any giving back passes. */
export const TASK_POINTS: readonly string[] = CANCELLED;

/** Boundaries that an approved return passes. */
const RETURNED = [...RECORDED, ...REFUNDED, ...ENDED];

/** Deaths on the way of what gives money back after an order is paid: an operator's cancellation, an approved return. */
export function scentTaskCells(crashFile: CrashFile): ScentCell[] {
  return [
    ...CANCELLED.map((point) => cancellation(point, crashFile)),
    ...RETURNED.map((point) => approval(point, crashFile)),
  ];
}

function cancellation(point: string, crashFile: CrashFile): ScentCell {
  return {
    crash: `${point}, cancellation`,
    victim: 'orders-saga',
    isShort: false,
    async strike(stage) {
      const order = await place(stage);
      crashFile.arm(point);
      const decide = () => stage.operator.call(`/orders/${order.orderGlobalId}/cancel`, { body: NOTES });
      await decideAcross(
        point,
        crashFile,
        decide,
        async () => (await now(stage, order)).status === 'Cancelled',
      );
      return 1;
    },
    expects: ({ fulfillmentGroups }, paid) => ({
      ...paid,
      status: 'Cancelled',
      refunds: fulfillmentGroups.length,
      clawbacks: fulfillmentGroups.length,
      deliveries: 0,
      spent: 0,
      redemptions: 0,
    }),
  };
}

/** What an operator writes beside each decision. */
export const NOTES = { notes: 'Decided by the crash matrix' };

// One unit of a line of three comes back.
function approval(point: string, crashFile: CrashFile): ScentCell {
  return {
    crash: `${point}, return`,
    victim: 'orders-saga',
    isShort: false,
    async strike(stage) {
      const order = await place(stage);
      for (const { id } of order.fulfillmentGroups)
        for (const verb of ['ship', 'deliver'])
          await stage.operator.post(`/fulfillment-groups/${id}/${verb}`);
      const { id, fulfillmentGroupId } = order.lines[0]!;
      const request = expectSuccess(
        await stage.partner.live.call<{ id: string }>(`/scent/orders/${order.id}/return-request`, {
          body: { fulfillmentGroupId, lines: [{ scentOrderLineId: id, quantity: 1, reasonCode: 'Damaged' }] },
        }),
      );
      crashFile.arm(point);
      const decide = () => stage.operator.call(`/return-requests/${request.id}/approve`, { method: 'POST' });
      await decideAcross(
        point,
        crashFile,
        decide,
        async () => (await now(stage, order)).status === 'PartiallyReturned',
      );
      return 1;
    },
    expects({ lines }, paid) {
      const line = lines[0]!;
      const back = (amount: number): number => oneOf(halalas(amount), line.quantity);
      const refunded = back(line.lineTotal) + back(line.lineGoodsVatAmount);
      const clawedBack = back(line.partnerCommission) + back(line.lineCommissionVatAmount);
      return {
        ...paid,
        status: 'PartiallyReturned',
        refunds: 1,
        clawbacks: 1,
        spent: paid.spent - refunded + clawedBack,
      };
    },
  };
}

/** One unit's share of an amount in minor units, rounded half away from zero. */
const oneOf = (amount: number, quantity: number): number =>
  Math.floor((2 * amount + quantity) / (2 * quantity));

async function place(stage: ScentStage): Promise<ScentOrder> {
  const { live } = stage.partner;
  const { code } = await newDiscountCode(live);
  stage.body = { ...stage.body, discountCode: code };
  return expectSuccess(await orderScents(live, stage.body));
}

const now = ({ partner }: ScentStage, { id }: ScentOrder): Promise<ScentOrder> =>
  readScentOrder(partner.live, id);

/** Decides as an operator would: again when there was no response, until the order shows it, whatever died on the way. */
export async function decideAcross(
  point: string,
  crashFile: CrashFile,
  decide: () => Promise<unknown>,
  isDone: () => Promise<boolean>,
): Promise<void> {
  await decide().catch(() => undefined);
  await untilDead(point, crashFile);
  await until('the decision has its effect', async () => {
    if (await isDone()) return true;
    await decide().catch(() => undefined);
    return isDone();
  });
}
