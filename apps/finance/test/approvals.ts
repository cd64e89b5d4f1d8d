import { isAppError } from '@reseller/errors';
import type { CallContext } from '@reseller/rpc';
import { v7 as uuidv7 } from 'uuid';
import type { FinanceClients, TestPartner } from './finance-service';

/** What a movement needs a second operator above, in tests of approvals. */
export const LIMIT = '1000';

/** Operators; a token of Olga's is hers. */
export const olga: CallContext = { requestId: 'r-olga', operator: 'Olga', operatorAccount: 'idp olga' };
export const tokenOfOlga: CallContext = {
  requestId: 'r-token',
  operator: 'nightly job',
  operatorAccount: 'idp olga',
};
export const omar: CallContext = { requestId: 'r-omar', operator: 'Omar', operatorAccount: 'idp omar' };

/** A movement as operators request it. */
export interface Movement {
  amount: string;
  notes: string;
  idempotencyKey: string;
}

/** A movement under a key of its own. */
export const movement = (amount: string, more: Partial<Movement> = {}): Movement => ({
  amount,
  notes: 'by bank transfer',
  idempotencyKey: uuidv7(),
  ...more,
});

/** Requests a credit or an adjustment and returns the approval that it has to wait for. */
export async function approvalOf(
  finance: Pick<FinanceClients, 'wallets'>,
  rpc: 'creditWallet' | 'adjustWallet',
  partner: TestPartner,
  request: Movement,
  by: CallContext = olga,
): Promise<string> {
  const error: unknown = await finance.wallets[rpc]({ ...partner.ref, ...request }, by).then(
    () => new Error('it was made without an approval'),
    (failure: unknown) => failure,
  );
  if (isAppError(error) && error.code === 'CONFLICT_APPROVAL_REQUIRED')
    return String(error.details?.['approvalId']);
  throw error;
}
