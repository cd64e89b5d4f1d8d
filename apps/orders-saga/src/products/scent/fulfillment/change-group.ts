import { ProductType } from '@reseller/contracts';
import { eventOf } from '../../../order/order-events';
import type { FulfillmentGroup, GroupStatus } from '../domain/scent-order';
import { rollUp } from './domain/rollup';
import { groupEvent } from './fulfillment-events';
import type { LockedOrder } from './locked-order';

/** Moves a group and its order with it, and emits the events of both. */
export async function changeGroup(locked: LockedOrder, groupId: string, to: GroupStatus): Promise<void> {
  await locked.moveGroup(groupId, to);
  const { order, scent } = locked;
  const passed = rollUp(order.status, scent);
  const status = passed.at(-1) ?? order.status;
  const group = scent.groups.find(({ id }) => id === groupId) as FulfillmentGroup;
  await locked.emit(groupEvent(order, status, scent.groups, group));
  await passThrough(locked);
}

/** Moves the order through every status that its groups and returns ask for, with the events of each. */
export async function passThrough(locked: LockedOrder): Promise<void> {
  for (const status of rollUp(locked.order.status, locked.scent)) {
    await locked.moveTo(status);
    const event = eventOf(ProductType.SCENT, locked.order, status);
    if (event) await locked.emit(event);
  }
}
