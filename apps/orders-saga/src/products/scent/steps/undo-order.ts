import { isContradiction, type FundsDeps } from '../../steps/release-funds';
import type { Checkouts } from '../../../clients/scent-commerce/checkouts';
import type { Settlements } from '../../../clients/finance/settlements';
import { callWithRetries, type Suspended } from '../../../saga/call-with-retries';
import { decidedBy } from '../../../saga/domain/journal';
import type { StepOutcome } from '../../../saga/domain/step-outcome';
import type { SagaRun } from '../../../saga/saga-step';
import { unitsPerVariant, type ScentLine } from '../domain/scent-order';
import { groupEvent } from '../fulfillment/fulfillment-events';
import { isOpenGroup } from '../fulfillment/domain/rollup';
import type { OrderTaskRepository } from '../fulfillment/order-task.repository';
import type { ScentOrderRepository } from '../scent-order.repository';
import { undoneStatus } from '../domain/undone-status';

/** What undoing an order works with. */
interface UndoOrderDeps extends FundsDeps {
  readonly settlements: Settlements;
  readonly checkouts: Checkouts;
  readonly scents: ScentOrderRepository;
  readonly tasks: OrderTaskRepository;
}

const never = (): boolean => false;

/** Frees the order's hold; refused when it was charged after all, so that the charge is to be given back. */
export async function releaseHold({ funds }: UndoOrderDeps, run: SagaRun): Promise<StepOutcome> {
  const result = await callWithRetries(run, () => funds.release(run.order, run.call), isContradiction);
  return result.kind === 'refused'
    ? { kind: 'refused', details: { reason: 'The order was charged.' } }
    : result;
}

/** Gives the whole charge back and claws the whole commission back, once. */
export async function refundOrder(deps: UndoOrderDeps, run: SagaRun): Promise<StepOutcome> {
  const lines = await linesOf(deps, run);
  const units = lines.map(({ id: lineId, quantity }) => ({ lineId, quantity }));
  const operationKey = `undo:${run.order.globalId}`;
  const refund = { operationKey, lines: units, decidedBy: decidedBy(run.journal) };
  const result = await callWithRetries(
    run,
    () => deps.settlements.refundUnits(run.order, refund, run.call),
    never,
  );
  return result.kind === 'done'
    ? { kind: 'done', details: { refundedAmount: result.value } }
    : asOutcome(result);
}

/** Puts the units of a committed checkout back on the shelf and gives its discount back, each once. */
export async function restockOrder(deps: UndoOrderDeps, run: SagaRun): Promise<StepOutcome> {
  const { checkouts } = deps;
  const lines = await linesOf(deps, run);
  const result = await callWithRetries(
    run,
    async () => {
      for (const groupId of new Set(lines.map((line) => line.groupId))) {
        const units = unitsPerVariant(lines.filter((line) => line.groupId === groupId));
        await checkouts.restock(run.order, groupId, units, run.call);
      }
      await checkouts.giveBackRedemption(run.order, run.call);
    },
    never,
  );
  return asOutcome(result);
}

/** Cancels the groups of an order that will not be, with the event of each; an order that was never priced has none. */
export async function cancelGroups({ tasks }: UndoOrderDeps, run: SagaRun): Promise<StepOutcome> {
  await tasks.withLockedOrder(run.order.id, async (locked) => {
    for (const { id } of locked.scent.groups.filter(isOpenGroup)) {
      await locked.moveGroup(id, 'Cancelled');
      const { groups } = locked.scent;
      const group = groups.find((one) => one.id === id);
      if (group) await locked.emit(groupEvent(locked.order, undoneStatus(run.journal), groups, group));
    }
  });
  return { kind: 'done' };
}

async function linesOf({ scents }: UndoOrderDeps, { order }: SagaRun): Promise<readonly ScentLine[]> {
  const details = await scents.find(order.id);
  if (!details) throw new Error(`order ${order.globalId} has no lines to give back`);
  return details.lines;
}

function asOutcome(result: { kind: 'done' } | { kind: 'refused' } | Suspended): StepOutcome {
  return result.kind === 'suspended' ? result : { kind: result.kind };
}
