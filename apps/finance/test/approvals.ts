import type { CallContext } from '@reseller/rpc';
import { approvalIdOf, olga } from '@reseller/testing';
import { v7 as uuidv7 } from 'uuid';
import type { FinanceClients, TestPartner } from './finance-service';

/** What a movement needs a second operator above, in tests of approvals. */
export const LIMIT = '1000';

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
export function approvalOf(
  finance: Pick<FinanceClients, 'wallets'>,
  rpc: 'creditWallet' | 'adjustWallet',
  partner: TestPartner,
  request: Movement,
  by: CallContext = olga,
): Promise<string> {
  return approvalIdOf(finance.wallets[rpc]({ ...partner.ref, ...request }, by));
}
