import type { ScentOrder } from '@reseller/contracts';
import { AppError, validationFailed } from '@reseller/errors';
import { isLonger } from '@reseller/rpc';
import type { DecideReturnDeps } from '../returns/decide-return-request';
import { toScentOrder } from '../scent-order.mapper';
import type { TaskEffectDeps } from './task-effects';

/** What whoever decides about groups and returns works with. */
export interface FulfillmentDeps extends DecideReturnDeps, Pick<TaskEffectDeps, 'orders' | 'scents'> {}

const MAX_REASON = 500;

/** The order of groups that were moved, as its message. */
export async function orderOfGroups(
  { orders, scents }: Pick<FulfillmentDeps, 'orders' | 'scents'>,
  orderId: string,
): Promise<{ order: ScentOrder }> {
  const order = await orders.findById(orderId);
  if (!order) throw new AppError('NOT_FOUND_FULFILLMENT_GROUP');
  return { order: toScentOrder(order, await scents.find(order.id)) };
}

/** Throws VALIDATION_FAILED for a text that cannot be the reason of a declined return. */
export function requireReason(reason: string): void {
  if (reason !== '' && !isLonger(reason, MAX_REASON)) return;
  throw validationFailed([{ path: 'reason', message: `must be 1 to ${MAX_REASON} characters` }]);
}
