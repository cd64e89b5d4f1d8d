import { hash } from 'node:crypto';
import type { EnvironmentName } from '@reseller/rpc';
import type { LineAmounts } from '../../settlement/domain/settlement';
import type { OperatorDecision } from './operator-decision';

/** Names a wallet: there is one for each partner and environment. */
export interface WalletRef {
  partnerId: string;
  environment: EnvironmentName;
}

/** What is done to one wallet; amounts are SAR with two decimals, positive unless said otherwise. */
export type WalletOperation =
  | {
      kind: 'reserve';
      reservationKey: string;
      amount: string;
      reference: string;
      pinned: boolean;
      /** Its day (UTC) is the one that the order's spending counts for; now when absent. */
      submittedAt?: Date | undefined;
      /** Stands for the number of a top-up on that day. */
      recipient?: string | undefined;
    }
  | { kind: 'pin'; reservationKey: string }
  | { kind: 'release'; reservationKey: string }
  | MoneyOperation;

/** An operation that posts a movement, once for its key. Whose decision it is, is no part of what its key is known by. */
export type MoneyOperation = Movement & { decidedBy?: OperatorDecision | undefined };

type Movement =
  | { kind: 'capture'; reservationKey: string; amount: string; notes: string }
  | { kind: 'refund'; operationKey: string; reservationKey: string; amount: string; notes: string }
  /** With `by` the partner's own, in its sandbox; it is not there for an operator's, whose hash has none. */
  | { kind: 'credit'; idempotencyKey: string; amount: string; notes: string; by?: 'partner' }
  /** A negative amount debits. */
  | { kind: 'adjust'; idempotencyKey: string; amount: string; notes: string }
  /** Captures the charge of a scent order's lines and credits their commission; the order's key is its reservation's. */
  | { kind: 'settle'; reservationKey: string; lines: readonly LineAmounts[]; notes: string }
  /** Gives units of a settled order back, and claws their commission back. */
  | {
      kind: 'refund_units';
      operationKey: string;
      reservationKey: string;
      lines: readonly LineAmounts[];
      notes: string;
    };

/** Why an operation was not done; nothing was left behind. */
export type Refusal = 'no_wallet' | 'insufficient' | LimitRefusal | 'state' | 'reused';

/** Which limit on spending an order would pass (spec §17.5). */
export type LimitRefusal = 'order_limit' | 'spending_limit' | 'recipient_limit';

/** The result of an operation that was done, now or when it was first requested. */
export interface OperationResult {
  /** The movement that was posted now; undefined for a repetition, and where none is posted. */
  postedId: string | undefined;
  /** Of the wallet's first line, where the operation posts one. */
  transactionId: string;
  balanceAfter: string;
  /** Of the wallet's first line, or of the movement when it has none. */
  occurredAt: Date;
  referenceId: string;
  /** What could be spent after a reserve. */
  available: string;
  /** The partner's at that moment; undefined where nothing is converted, and not read with a settlement. */
  displayRate: { currency: string; rate: string } | undefined;
}

/** The outcome of one operation of a batch. */
export type OperationOutcome =
  | { done: true; result: OperationResult }
  /** With the limit that would be passed, where it is one. */
  | { done: false; refusal: Refusal; limit?: string };

/**
 * The key that makes a movement happen once. Operators' keys are each wallet's own and shared by credit and adjust
 * (spec §12), a partner's own are apart from them (spec §15.1); an order's keys are unique in the platform, and an order is either captured or settled.
 */
export function operationKey(wallet: WalletRef, operation: MoneyOperation): string {
  switch (operation.kind) {
    case 'capture':
    case 'settle':
      return `capture:${operation.reservationKey}`;
    case 'refund':
    case 'refund_units':
      return `${operation.kind}:${operation.operationKey}`;
    case 'credit':
    case 'adjust':
      if ('by' in operation)
        return `own:${wallet.environment}:${wallet.partnerId}:${operation.idempotencyKey}`;
      return `wallet:${wallet.environment}:${wallet.partnerId}:${operation.idempotencyKey}`;
  }
}

/**
 * Tells a repetition from another use of the same key; equal exactly when all that the caller named is, but for the notes of an
 * order's lines: they only say what the order is called, and an order that began in a version which named none goes on in one
 * that does.
 */
export function requestHash(operation: MoneyOperation): string {
  return hash('sha256', JSON.stringify(requestOf(operation)), 'base64url');
}

function requestOf(operation: MoneyOperation): [string, unknown][] {
  return Object.entries(named(operation))
    .filter(([field]) => field !== 'decidedBy')
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function named(operation: MoneyOperation): object {
  switch (operation.kind) {
    case 'credit':
    case 'adjust':
      return operation;
    case 'refund_units':
      // What units come to depends on those given back before, so it is no part of the request.
      return {
        ...operation,
        lines: operation.lines.map(({ lineId, quantity }) => [lineId, quantity]),
        notes: '',
      };
    default:
      return { ...operation, notes: '' };
  }
}
