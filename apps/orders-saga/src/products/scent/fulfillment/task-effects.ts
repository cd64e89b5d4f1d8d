import type { OperatorDecision } from '@reseller/contracts';
import { AppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import type { PassCrashPoint } from '@reseller/service-kit';
import { REQUEST_ID } from '@reseller/telemetry';
import type { OrderRepository } from '../../../order/order.repository';
import { operatorUserId } from '../returns/domain/return-request';
import type { ReturnRequestRepository } from '../returns/return-request.repository';
import type { Checkouts } from '../../../clients/scent-commerce/checkouts';
import { unitsPerVariant, type ScentDetails } from '../domain/scent-order';
import type { Order } from '../../../order/domain/order';
import type { ScentOrderRepository } from '../scent-order.repository';
import type { Settlements } from '../../../clients/finance/settlements';
import { changeGroup, passThrough } from './change-group';
import { rollUp } from './domain/rollup';
import { returnedEvent, returnRequestEvent } from './fulfillment-events';
import type { OrderTask, TaskKind } from './domain/order-task';
import type { OrderTaskRepository } from './order-task.repository';

/** What carrying a task out works with. */
export interface TaskEffectDeps {
  readonly tasks: OrderTaskRepository;
  readonly orders: OrderRepository;
  readonly scents: ScentOrderRepository;
  readonly requests: ReturnRequestRepository;
  readonly settlements: Settlements;
  readonly checkouts: Checkouts;
  readonly passCrashPoint: PassCrashPoint;
}

/** Carries a task out, from wherever an earlier try left it; safe to repeat and to do twice at once. */
type TaskEffect = (deps: TaskEffectDeps, task: OrderTask, call: CallContext) => Promise<void>;

/** Money first, then the goods, then the record (spec §7.3, §8.2); each effect under a key made of the subject. */
export const TASK_EFFECTS: Readonly<Record<TaskKind, TaskEffect>> = {
  'cancel-group': cancelGroup,
  'approve-return': approveReturn,
};

async function cancelGroup(deps: TaskEffectDeps, task: OrderTask, call: CallContext): Promise<void> {
  const { order, scent } = await readOrder(deps, task.orderId);
  const groupId = task.subjectId;
  const lines = scent.lines.filter((line) => line.groupId === groupId);
  const units = lines.map(({ id: lineId, quantity }) => ({ lineId, quantity }));
  const refundedAmount = await refund(deps, order, task, units, call);

  await deps.passCrashPoint('units.restock.before');
  await deps.checkouts.restock(order, groupId, unitsPerVariant(lines), call);
  await deps.passCrashPoint('units.restock.after');

  if (await endCancelling(deps, task, refundedAmount, false)) return;
  // Every other group is cancelled and this one cannot be anything else any more: the order will be.
  await deps.passCrashPoint('redemption.give-back.before');
  await deps.checkouts.giveBackRedemption(order, call);
  await deps.passCrashPoint('redemption.give-back.after');
  await endCancelling(deps, task, refundedAmount, true);
}

/** False, and nothing is changed, when the order would be Cancelled with its discount not given back yet. */
async function endCancelling(
  { tasks, passCrashPoint }: TaskEffectDeps,
  task: OrderTask,
  refundedAmount: string,
  isGivenBack: boolean,
): Promise<boolean> {
  await passCrashPoint('task.end.before');
  const hasEnded = await tasks.withLockedOrder(task.orderId, async (locked) => {
    const groups = locked.scent.groups.map((group) =>
      group.id === task.subjectId ? { ...group, status: 'Cancelled' as const } : group,
    );
    const ends = rollUp(locked.order.status, { groups, lines: locked.scent.lines }).includes('Cancelled');
    if (ends && !isGivenBack) return false;
    if (await locked.closeTask(task, { refundedAmount }))
      await changeGroup(locked, task.subjectId, 'Cancelled');
    return true;
  });
  if (hasEnded !== false) await passCrashPoint('task.end.after');
  return hasEnded !== false;
}

async function approveReturn(deps: TaskEffectDeps, task: OrderTask, call: CallContext): Promise<void> {
  const { order } = await readOrder(deps, task.orderId);
  const request = await deps.requests.find(task.subjectId);
  if (!request) throw new Error(`task ${task.id} approves a return request that is not there`);
  const units = request.lines.map(({ orderLineId: lineId, quantity }) => ({ lineId, quantity }));
  const refundedAmount = await refund(deps, order, task, units, call);

  await deps.passCrashPoint('task.end.before');
  await deps.tasks.withLockedOrder(order.id, async (locked) => {
    if (!(await locked.closeTask(task, { refundedAmount }))) return;
    const decidedByUserId = task.isByPartner ? null : operatorUserId(task.operator);
    const decided = await locked.decideReturn(request, { status: 'Approved', decidedByUserId });
    await passThrough(locked);
    await locked.emit(returnedEvent(locked.order, locked.order.status, refundedAmount));
    await locked.emit(returnRequestEvent(locked.order, locked.order.status, decided));
  });
  await deps.passCrashPoint('task.end.after');
}

const REFUND_KEYS: Readonly<Record<TaskKind, string>> = {
  'cancel-group': 'group',
  'approve-return': 'return',
};

// Of an operator alone: what a partner decides in its sandbox is nobody's movement by hand (spec §18.4).
const decisionOf = ({ operator, isByPartner, origin }: OrderTask): OperatorDecision | undefined =>
  isByPartner ? undefined : { operator, requestId: origin?.[REQUEST_ID], approvedBy: undefined };

async function refund(
  { settlements, passCrashPoint }: TaskEffectDeps,
  order: Order,
  task: OrderTask,
  lines: { lineId: string; quantity: number }[],
  call: CallContext,
): Promise<string> {
  await passCrashPoint('units.refund.before');
  const operationKey = `${REFUND_KEYS[task.kind]}:${task.subjectId}`;
  const refunded = await settlements.refundUnits(
    order,
    { operationKey, lines, decidedBy: decisionOf(task) },
    call,
  );
  await passCrashPoint('units.refund.after');
  return refunded;
}

async function readOrder(
  { orders, scents }: TaskEffectDeps,
  orderId: string,
): Promise<{ order: Order; scent: ScentDetails }> {
  const order = await orders.findById(orderId);
  const scent = order && (await scents.find(order.id));
  if (!scent)
    throw new AppError('INTERNAL_ERROR', {}, { cause: new Error(`a task of no order: ${orderId}`) });
  return { order, scent };
}
