import { hash } from 'node:crypto';

/** The environments of spec §2.1, as the tables name them. */
export type WalletEnvironment = 'sandbox' | 'live';

/** Names a wallet: there is one for each partner and environment. */
export interface WalletRef {
  partnerId: string;
  environment: WalletEnvironment;
}

/** A movement on one wallet; amounts are SAR with two decimals, positive unless said otherwise. */
export type WalletOperation =
  | { kind: 'reserve'; reservationKey: string; amount: string; reference: string; pinned: boolean }
  | { kind: 'pin'; reservationKey: string }
  | { kind: 'release'; reservationKey: string }
  | { kind: 'capture'; reservationKey: string; amount: string; notes: string }
  | { kind: 'refund'; operationKey: string; reservationKey: string; amount: string; notes: string }
  | { kind: 'credit'; idempotencyKey: string; amount: string; notes: string }
  /** A negative amount debits. */
  | { kind: 'adjust'; idempotencyKey: string; amount: string; notes: string };

/** Why an operation was not done; nothing was left behind. */
export type Refusal = 'no_wallet' | 'insufficient' | 'state' | 'reused';

/** What an operation that was done (now or at its first asking) answers. */
export interface OperationResult {
  /** Of the wallet's line, where the operation posts one. */
  transactionId: string;
  balanceAfter: string;
  occurredAt: Date;
  referenceId: string;
  /** What could be spent after a reserve. */
  available: string;
}

/** The outcome of one operation of a batch. */
export type OperationOutcome = { done: true; result: OperationResult } | { done: false; refusal: Refusal };

/**
 * The key that makes an operation happen once. Operators' keys are each wallet's own and shared by credit and adjust
 * (spec §12); an order's keys are unique in the platform.
 */
export function operationKey(wallet: WalletRef, operation: WalletOperation): string {
  switch (operation.kind) {
    case 'reserve':
    case 'pin':
    case 'release':
    case 'capture':
      return operation.reservationKey;
    case 'refund':
      return `refund:${operation.operationKey}`;
    case 'credit':
    case 'adjust':
      return `wallet:${wallet.environment}:${wallet.partnerId}:${operation.idempotencyKey}`;
  }
}

/** Tells a repetition from another use of the same key; equal exactly when all values are. */
export function requestHash(operation: WalletOperation): string {
  const values = Object.entries(operation).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify(values), 'base64url');
}
