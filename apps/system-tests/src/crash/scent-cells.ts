import { untilDead, type CrashFile } from './crash-file';
import { createInVain, whileDying, type ScentCell } from './run-scent-cell';

/** Boundaries that an order passes which is paid in the end. */
const PAID = [
  'order.create.before',
  'order.create.after',
  'checkout.begin.before',
  'checkout.begin.after',
  'funds.reserve.before',
  'funds.reserve.after',
  'funds.settle.before',
  'funds.settle.after',
  'checkout.commit.before',
  'checkout.commit.after',
  'order.end.after',
];

/** Boundaries that an order passes which the wallet does not cover. */
const UNDONE = [
  'checkout.cancel.before',
  'checkout.cancel.after',
  'order.withdraw.before',
  'order.withdraw.after',
];

/** A service that dies or stands still with a call of the saga in its hands, and the boundary right before that call. */
const IN_HAND: readonly (readonly [service: string, call: string, how: 'SIGKILL' | 'SIGSTOP'])[] = [
  ['scent-commerce', 'checkout.begin', 'SIGKILL'],
  ['scent-commerce', 'checkout.begin', 'SIGSTOP'],
  ['scent-commerce', 'checkout.commit', 'SIGKILL'],
  ['scent-commerce', 'checkout.commit', 'SIGSTOP'],
  ['finance', 'funds.reserve', 'SIGKILL'],
  ['finance', 'funds.settle', 'SIGKILL'],
  ['finance', 'funds.settle', 'SIGSTOP'],
  ['gateway', 'checkout.begin', 'SIGKILL'],
  ['orders-saga', 'checkout.begin', 'SIGSTOP'],
  ['postgres', 'checkout.begin', 'SIGKILL'],
  ['postgres', 'checkout.commit', 'SIGKILL'],
];

/** Every boundary that a checkout passes. */
export const SCENT_POINTS: readonly string[] = [...PAID, ...UNDONE];

/** Every way in which something dies around the checkout of one cart; a new boundary is a new row. */
export function scentCells(crashFile: CrashFile): ScentCell[] {
  return [...PAID.map(paidCell), ...UNDONE.map(undoneCell), ...IN_HAND.map(inHandCell)];

  function paidCell(point: string): ScentCell {
    return {
      crash: point,
      victim: 'orders-saga',
      isShort: false,
      async strike(stage) {
        crashFile.arm(point);
        await createInVain(stage);
        await untilDead(point, crashFile);
        return 1;
      },
    };
  }

  // The wallet does not cover the cart: the checkout is undone; then there is money, and the same body is an order.
  function undoneCell(point: string): ScentCell {
    return { ...paidCell(point), crash: `${point}, short of money`, isShort: true };
  }

  function inHandCell([service, call, how]: (typeof IN_HAND)[number]): ScentCell {
    return {
      crash: `${how} ${service}, ${call} under way`,
      victim: service,
      isShort: false,
      strike: (stage) => whileDying(stage, { service, point: `${call}.before`, how, crashFile }),
    };
  }
}
