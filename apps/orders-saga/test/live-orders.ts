import { isAppError } from '@reseller/errors';
import { Environment, type TopupOrder } from '@reseller/contracts';
import type { CallContext } from '@reseller/rpc';
import { callOf, create, topup, type Clients } from './start-orders';

/** Operators; a token of Olga's is hers. */
export const olga: CallContext = { requestId: 'r-olga', operator: 'Olga', operatorAccount: 'idp olga' };
export const tokenOfOlga: CallContext = { ...olga, requestId: 'r-token', operator: 'nightly job' };
export const omar: CallContext = { requestId: 'r-omar', operator: 'Omar', operatorAccount: 'idp omar' };

/** A completed order in live that is worth so much. */
export const liveOrder = (service: Clients, amount = '10.00'): Promise<TopupOrder> =>
  create(service, topup('9999', { amount }), callOf(undefined, Environment.LIVE));

/** Requests a reversal and returns the approval that it has to wait for. */
export async function approvalOf(
  service: Clients,
  { orderGlobalId }: TopupOrder,
  by: CallContext = olga,
  notes = 'sold twice',
): Promise<string> {
  const error: unknown = await service.operations.reverseOrder({ orderGlobalId, notes }, by).then(
    () => new Error('it was reversed without an approval'),
    (failure: unknown) => failure,
  );
  if (isAppError(error) && error.code === 'CONFLICT_APPROVAL_REQUIRED')
    return String(error.details?.['approvalId']);
  throw error;
}

/** The code of the error that a call ends with, or "ok". */
export const outcomeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: unknown) => String((error as { code?: unknown }).code),
  );
