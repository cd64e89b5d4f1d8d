import { ProductType } from '@reseller/contracts';
import { eventOf } from '../../../order/order-events';
import type { FulfillmentGroup, GroupStatus } from '../domain/scent-order';
import { rollUp } from './domain/rollup';
import { groupEvent } from './fulfillment-events';
import type { HeldOrder } from './held-order';

/** Moves a group and its order with it, and emits the events of both. */
export async function changeGroup(held: HeldOrder, groupId: string, to: GroupStatus): Promise<void> {
  await held.moveGroup(groupId, to);
  const { order, scent } = held;
  const passed = rollUp(order.status, scent);
  const status = passed.at(-1) ?? order.status;
  const group = scent.groups.find(({ id }) => id === groupId) as FulfillmentGroup;
  await held.emit(groupEvent(order, status, scent.groups, group));
  await passThrough(held);
}

/** Moves the order through every status that its groups and returns ask for, with the events of each. */
export async function passThrough(held: HeldOrder): Promise<void> {
  for (const status of rollUp(held.order.status, held.scent)) {
    await held.moveTo(status);
    const event = eventOf(ProductType.SCENT, held.order, status);
    if (event) await held.emit(event);
  }
}
