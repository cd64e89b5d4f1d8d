import { whileStopped } from '../platform/processes';
import { untilDead, type CrashFile } from './crash-file';
import type { Course, PointCell } from './cells';
import { createInVain, findOrder, untilStatus } from './run-cell';
import type { Cell, CellStage } from './run-cell';
import { until } from '../until';

/** orders-saga dies at a boundary of its saga; each course returns how often it died on the way. */
export function pointCell({ point, vendor, by, ends }: PointCell, crashFile: CrashFile): Cell {
  return {
    crash: [point, vendor === 'success' ? '' : `vendor ${vendor}`, by === 'create' ? '' : by]
      .filter(Boolean)
      .join(', '),
    environment: 'sandbox',
    vendor,
    ends,
    victim: 'orders-saga',
    async strike(stage) {
      try {
        return await COURSES[by](stage, point, crashFile, ends);
      } finally {
        crashFile.disarm();
      }
    },
  };
}

type Strike = (stage: CellStage, point: string, crashFile: CrashFile, ends: string) => Promise<number>;

const COURSES: Readonly<Record<Course, Strike>> = {
  async create(stage, point, crashFile) {
    await dieInCreate(stage, point, crashFile);
    return 1;
  },

  // The money is gone between the check and the reservation, so that the order is refused after it existed.
  async withdrawal(stage, point, crashFile) {
    await dieInCreate(stage, 'funds.reserve.before', crashFile);
    crashFile.arm(point);
    const { availableBalance } = await until('the balance', () => stage.client.balance());
    await adjust(stage, -availableBalance, 'empty');
    await untilDead(point, crashFile);
    await until('the refused order is gone', async () => (await findOrder(stage)) === undefined);
    await adjust(stage, availableBalance, 'refill');
    return 2;
  },

  // With finance away the order stays Pending, however soon it is carried on.
  async cancellation(stage, point, crashFile) {
    await dieInCreate(stage, 'order.create.after', crashFile);
    crashFile.arm(point);
    await whileStopped('finance', async () => {
      const cancelled = decide(stage, crashFile, 'cancel', {}, 'Pending');
      await untilStatus(stage, 'Cancelled');
      return cancelled;
    });
    await untilDead(point, crashFile);
    return 2;
  },

  async resolution(stage, point, crashFile, ends) {
    await createInVain(stage);
    crashFile.arm(point);
    await decide(stage, crashFile, 'resolve', { outcome: ends }, 'InterventionRequired');
    await untilDead(point, crashFile);
    await untilStatus(stage, ends);
    return 1;
  },

  async reversal(stage, point, crashFile) {
    await createInVain(stage);
    crashFile.arm(point);
    await decide(stage, crashFile, 'reverse', {}, 'Completed');
    await untilDead(point, crashFile);
    await untilStatus(stage, 'Reversed');
    return 1;
  },
};

async function dieInCreate(stage: CellStage, point: string, crashFile: CrashFile): Promise<void> {
  crashFile.arm(point);
  await createInVain(stage);
  // Some boundaries come only when the vendor is called again.
  await untilDead(point, crashFile);
}

/**
 * An operator decides as soon as the order is there with this status; the response may be lost with the process. One that the
 * process was not up for yet is sent again, until it is taken or has the process die.
 */
async function decide(
  stage: CellStage,
  crashFile: CrashFile,
  verb: string,
  more: object,
  status: string,
): Promise<void> {
  const { orderGlobalId } = await untilStatus(stage, status);
  const body = { notes: 'Decided by the crash matrix', ...more };
  await until(`the decision ${verb}`, async () => {
    const sent = stage.operator.call(`/orders/${orderGlobalId}/${verb}`, { body });
    const code = await sent.then((response) => response.status).catch(() => 503);
    return code < 500 || !crashFile.isArmed || (await findOrder(stage))?.status !== status;
  });
}

const adjust = ({ operator, partner, environment }: CellStage, amount: number, key: string) =>
  operator.post(`/partners/${partner.id}/wallet/adjust`, {
    environment,
    amount,
    notes: 'Moved by the crash matrix',
    idempotencyKey: key,
  });
