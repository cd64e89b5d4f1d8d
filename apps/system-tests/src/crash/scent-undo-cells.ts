import type { ScentOrder } from '../clients/scents';
import { whileStopped } from '../platform/processes';
import { untilDead, type CrashFile } from './crash-file';
import { createInVain, type ScentCell } from './run-scent-cell';
import { decideAcross, NOTES } from './scent-task-cells';
import { until } from '../until';

/** Boundaries that an order passes which is cancelled before it is paid. */
const UNDONE = [
  'decision.record.after',
  'funds.release.before',
  'funds.release.after',
  'checkout.cancel.before',
  'checkout.cancel.after',
  'groups.cancel.before',
  'groups.cancel.after',
  'order.end.after',
];

/**
 * Deaths on the way of undoing an order that is not paid: it dies before its charge, and while finance stands still an operator
 * cancels it. Nothing is left of it but its cart.
 */
export function scentUndoCells(crashFile: CrashFile): ScentCell[] {
  return UNDONE.map((point) => ({
    crash: `${point}, cancelled unpaid`,
    victim: 'orders-saga',
    isShort: false,
    async strike(stage) {
      const { operator, partner, body } = stage;
      crashFile.arm('funds.settle.before');
      const lost = createInVain(stage);
      await untilDead('funds.settle.before', crashFile);
      const now = async (): Promise<ScentOrder> =>
        (await partner.live.call<ScentOrder>(`/orders/scent/reference/${body.externalReference}`)).payload;
      const decide = async (): Promise<unknown> =>
        operator.call(`/orders/${(await now()).orderGlobalId}/cancel`, { body: NOTES });
      await whileStopped('finance', async () => {
        crashFile.arm(point);
        await until('the cancellation is on record', async () => {
          await decide().catch(() => undefined);
          return (await now()).status === 'InterventionRequired';
        });
      });
      await decideAcross(point, crashFile, decide, async () => (await now()).status === 'Cancelled');
      await lost;
      return 2;
    },
    expects: (_order, paid) => ({
      ...paid,
      status: 'Cancelled',
      charges: 0,
      commissions: 0,
      deliveries: 0,
      spent: 0,
      redemptions: 0,
      cartLines: 2,
    }),
  }));
}
