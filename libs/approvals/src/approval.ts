import type { JsonValue } from '@reseller/errors';
import { operatorAccountOf, requireOperator, type CallContext } from '@reseller/rpc';

/** What became of an approval; one that nobody decides in time has lapsed. */
export type ApprovalStatus = 'Pending' | 'Approved' | 'Rejected' | 'Lapsed';

/** What is to be approved. */
export type ApprovalAction = 'wallet.credit' | 'wallet.adjust' | 'order.reverse';

/** A movement of money that a second operator has to approve (spec §18.3). */
export interface NewApproval {
  readonly action: ApprovalAction;
  readonly partnerId: string;
  /** SAR with two decimals; negative for one that debits. */
  readonly amount: string;
  /** The order's global id, or the wallet's id. */
  readonly subject: string;
  readonly notes: string;
  /** By which the movement happens once; at most one approval of a key is Pending. */
  readonly operationKey: string;
  /** All that is needed to make the movement. */
  readonly operation: Readonly<Record<string, JsonValue>>;
}

/** An approval as it is on record. */
export interface Approval extends NewApproval {
  readonly id: string;
  readonly status: ApprovalStatus;
  readonly environment: 'live';
  readonly requestedBy: string;
  readonly requestedAccount: string;
  /** Of the request that made it. */
  readonly requestId: string;
  readonly requestedAt: Date;
  readonly expiresAt: Date;
  readonly decidedBy: string | undefined;
  readonly decidedAt: Date | undefined;
}

/** An operator who requests or decides, and in which request. */
export interface ApprovalOperator {
  readonly name: string;
  /** Whose decisions his count as: a token's are those of the operator who made it (spec §18.1). */
  readonly account: string;
  readonly requestId: string;
}

/** The operator of a call; one without is a fault of the caller's code. */
export function approvalOperatorOf(call: CallContext): ApprovalOperator {
  return { name: requireOperator(call), account: operatorAccountOf(call), requestId: call.requestId };
}
