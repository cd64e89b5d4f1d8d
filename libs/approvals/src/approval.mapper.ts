import { ApprovalAction, ApprovalStatus, type Approval as ApprovalMessage } from '@reseller/contracts';
import { environmentOf } from '@reseller/rpc';
import type { Approval, ApprovalAction as Action, ApprovalStatus as Status } from './approval';

/** The stored name of each status of the contract; undefined for the one that means all. */
export const STATUSES: Readonly<Record<ApprovalStatus, Status | undefined>> = {
  [ApprovalStatus.UNSPECIFIED]: undefined,
  [ApprovalStatus.PENDING]: 'Pending',
  [ApprovalStatus.APPROVED]: 'Approved',
  [ApprovalStatus.REJECTED]: 'Rejected',
  [ApprovalStatus.LAPSED]: 'Lapsed',
  [ApprovalStatus.UNRECOGNIZED]: undefined,
};

const MESSAGE_STATUSES: Readonly<Record<Status, ApprovalStatus>> = {
  Pending: ApprovalStatus.PENDING,
  Approved: ApprovalStatus.APPROVED,
  Rejected: ApprovalStatus.REJECTED,
  Lapsed: ApprovalStatus.LAPSED,
};

const MESSAGE_ACTIONS: Readonly<Record<Action, ApprovalAction>> = {
  'wallet.credit': ApprovalAction.WALLET_CREDIT,
  'wallet.adjust': ApprovalAction.WALLET_ADJUST,
  'order.reverse': ApprovalAction.ORDER_REVERSE,
};

/** The approval as the contract has it. */
export function toApprovalMessage(approval: Approval): ApprovalMessage {
  const { id, partnerId, amount, subject, notes, requestedBy, requestedAt, expiresAt, decidedBy, decidedAt } =
    approval;
  return {
    ...{ id, partnerId, amount, subject, notes, requestedBy, requestedAt, expiresAt, decidedBy, decidedAt },
    status: MESSAGE_STATUSES[approval.status],
    action: MESSAGE_ACTIONS[approval.action],
    environment: environmentOf(approval.environment),
  };
}
