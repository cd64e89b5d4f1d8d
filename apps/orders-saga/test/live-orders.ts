import { Environment, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { approvalIdOf, olga } from '@reseller/testing';
import { callOf, create, topup, type Clients } from './start-orders';

/** A completed order in live that is worth so much. */
export const liveOrder = (
  service: Clients,
  amount = '10.00',
  call = callOf(undefined, Environment.LIVE),
): Promise<TopupOrder> => create(service, topup('9999', { amount }), call);

/** Requests a reversal and returns the approval that it has to wait for. */
export function approvalOf(
  service: Clients,
  { orderGlobalId }: TopupOrder,
  by: CallContext = olga,
  notes = 'sold twice',
): Promise<string> {
  return approvalIdOf(service.operations.reverseOrder({ orderGlobalId, notes }, by));
}
