import { AppError } from '@reseller/errors';
import { isUuid } from '@reseller/rpc';
import type { PassCrashPoint } from '@reseller/service-kit';
import { requireReach, type OperatorCall } from '../../../operations/domain/decision';
import { isPaidStatus } from '../domain/scent-moves';
import type { GroupStatus } from '../domain/scent-order';
import { changeGroup } from './change-group';
import { GROUP_MOVES, isOpenGroup } from './domain/rollup';
import type { LockedOrder } from './locked-order';
import type { OrderTaskRepository } from './order-task.repository';
import type { SetTask, TaskRunner } from './task-runner';

/** What moving fulfillment groups works with. */
export interface MoveGroupDeps {
  readonly tasks: OrderTaskRepository;
  readonly runner: TaskRunner;
  readonly passCrashPoint: PassCrashPoint;
}

/** The order of a group; NOT_FOUND_FULFILLMENT_GROUP also for a text that is no id. */
export async function orderOfGroup(tasks: OrderTaskRepository, groupId: string): Promise<string> {
  const orderId = isUuid(groupId) ? await tasks.findOrderOfGroup(groupId) : undefined;
  if (orderId === undefined) throw new AppError('NOT_FOUND_FULFILLMENT_GROUP');
  return orderId;
}

/** Ships or delivers a group at once and returns its order's id; else CONFLICT_FULFILLMENT_GROUP_STATUS. */
export async function moveGroup(
  { tasks }: Pick<MoveGroupDeps, 'tasks'>,
  groupId: string,
  to: 'Shipped' | 'Delivered',
  call: Omit<OperatorCall, 'requestId'>,
): Promise<string> {
  const orderId = await orderOfGroup(tasks, groupId);
  await tasks.withLockedOrder(orderId, async (locked) => {
    requireReach(call, locked.order, 'NOT_FOUND_FULFILLMENT_GROUP');
    requireMove(locked, groupId, to);
    const task = await locked.findTask('cancel-group', groupId);
    if (task) throw conflict('It is being cancelled.');
    const step = to === 'Shipped' ? 'operator.ship' : 'operator.deliver';
    await locked.note(
      step,
      { operator: call.operator, subjectId: groupId },
      { phase: 'result', outcome: 'Done' },
    );
    await changeGroup(locked, groupId, to);
  });
  return orderId;
}

/**
 * Cancels a group and returns its order's id once the money is back, the commission clawed back and the units on the
 * shelf. Only the call that recorded or carried it out succeeds; to others it is CONFLICT_FULFILLMENT_GROUP_STATUS.
 */
export async function cancelGroup(deps: MoveGroupDeps, groupId: string, call: OperatorCall): Promise<string> {
  const orderId = await orderOfGroup(deps.tasks, groupId);
  await deps.passCrashPoint('task.record.before');
  const set = await deps.tasks.withLockedOrder(orderId, async (locked) =>
    setCancelTask(locked, groupId, call),
  );
  await deps.passCrashPoint('task.record.after');
  if (!set) throw new AppError('NOT_FOUND_FULFILLMENT_GROUP');
  if (!(await deps.runner.complete(set, call.requestId))) throw conflict('It is Cancelled.');
  return orderId;
}

/**
 * Cancels every open group of a paid order, whoever began to; CONFLICT_ORDER_STATE when none is open (spec §7.3).
 * Resolves once all effects are complete.
 */
export async function cancelOpenGroups(
  deps: MoveGroupDeps,
  orderId: string,
  call: OperatorCall,
): Promise<void> {
  await deps.passCrashPoint('task.record.before');
  const set = await deps.tasks.withLockedOrder(orderId, async (locked) => {
    const open = isPaid(locked) ? locked.scent.groups.filter(isOpenGroup) : [];
    const all: SetTask[] = [];
    for (const { id } of open) all.push(await setCancelTask(locked, id, call));
    return all;
  });
  await deps.passCrashPoint('task.record.after');
  if (!set || set.length === 0) {
    throw new AppError('CONFLICT_ORDER_STATE', {
      message: 'The order has no fulfillment group that can still be cancelled.',
    });
  }
  await Promise.all(set.map((one) => deps.runner.complete(one, call.requestId)));
}

async function setCancelTask(locked: LockedOrder, groupId: string, call: OperatorCall): Promise<SetTask> {
  requireReach(call, locked.order, 'NOT_FOUND_FULFILLMENT_GROUP');
  const known = await locked.findTask('cancel-group', groupId);
  if (known?.state === 'Open') return { task: known, isNew: false };
  requireMove(locked, groupId, 'Cancelled');
  return { task: await locked.setTask('cancel-group', groupId, call), isNew: true };
}

function requireMove(locked: LockedOrder, groupId: string, to: GroupStatus): void {
  const status = locked.scent.groups.find(({ id }) => id === groupId)?.status ?? 'Cancelled';
  if (!isPaid(locked)) throw conflict('Its order is not paid yet.');
  if (!GROUP_MOVES[status].includes(to)) throw conflict(`It is ${status}.`);
}

function isPaid({ order }: LockedOrder): boolean {
  return isPaidStatus(order.status);
}

function conflict(why: string): AppError {
  return new AppError('CONFLICT_FULFILLMENT_GROUP_STATUS', {
    message: `The fulfillment group cannot make this move. ${why}`,
  });
}
