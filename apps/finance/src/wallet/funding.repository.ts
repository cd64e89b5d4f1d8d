import {
  approvalOperatorOf,
  needsApproval,
  type Approval,
  type ApprovalOperator,
  type ApprovalRepository,
  type ApprovalSettings,
} from '@reseller/approvals';
import { query, withTransaction, type PreparedStatement } from '@reseller/database';
import { AppError, validationFailed } from '@reseller/errors';
import { decimal } from '@reseller/money';
import { appendToOutbox } from '@reseller/messaging';
import type { CallContext } from '@reseller/rpc';
import type { PassCrashPoint } from '@reseller/service-kit';
import type { Pool, PoolClient } from 'pg';
import { resultOf } from '../ledger/domain/refusal-error';
import {
  operationKey,
  requestHash,
  type OperationOutcome,
  type WalletOperation,
} from '../ledger/domain/wallet-operation';
import { lostRace, type LedgerRepository } from '../ledger/ledger.repository';
import { walletFundedEvent } from './wallet-events';
import type { WalletRecord } from './wallet.repository';

/** An operator's movement. */
export type FundingOperation = Extract<WalletOperation, { kind: 'credit' | 'adjust' }>;

/** What a request to fund came to: the movement's outcome, or the approval that it waits for. */
type FundingOutcome = { readonly approvalId: string } | OperationOutcome;

/** What funding writes with. */
interface FundingDeps {
  readonly pool: Pool;
  readonly ledger: Pick<LedgerRepository, 'applyIn'>;
  readonly approvals: ApprovalRepository;
  readonly settings: ApprovalSettings;
  readonly passCrashPoint: PassCrashPoint;
}

// Raw: the wallet's lock puts movements and approvals of one key in a row; held until the transaction ends.
const LOCK_WALLET: PreparedStatement = {
  name: 'lock_wallet',
  text: 'SELECT FROM wallets WHERE id = $1 FOR NO KEY UPDATE',
};

/** Writes operators' movements, and the approvals of those that need a second operator (spec §18.3). */
export class FundingRepository {
  constructor(private readonly deps: FundingDeps) {}

  /** Posts the movement with its event, or makes its approval; once for its key either way. */
  async fund(wallet: WalletRecord, operation: FundingOperation, call: CallContext): Promise<FundingOutcome> {
    const outcome = await this.locked<FundingOutcome>(wallet, async (tx) => {
      const pending = await this.deps.approvals.findPending(tx, operationKey(wallet, operation));
      if (pending) return isSame(pending, operation) ? { approvalId: pending.id } : REUSED;
      if (!needsApproval(this.deps.settings, wallet.environment, operation.amount))
        return this.post(tx, wallet, operation);
      // Made and taken back: whatever refuses the movement now refuses it before anybody has to approve it.
      await tx.query('SAVEPOINT trial');
      const outcome = await this.apply(tx, wallet, operation);
      if (!outcome.done || outcome.result.postedId === undefined) return outcome;
      await tx.query('ROLLBACK TO SAVEPOINT trial');
      const approval = toApproval(wallet, operation);
      const { id } = await this.deps.approvals.insert(tx, approval, approvalOperatorOf(call));
      return { approvalId: id };
    });
    if ('approvalId' in outcome) await this.deps.passCrashPoint('approval.request.after');
    return outcome;
  }

  /** Decides an approval and posts its movement in one transaction; a refusal of the movement leaves it pending. */
  async approve(wallet: WalletRecord, approval: Approval, by: ApprovalOperator): Promise<Approval> {
    const { passCrashPoint } = this.deps;
    const decided = await this.locked(wallet, async (tx) => {
      const approved = await this.deps.approvals.decide(tx, approval.id, 'Approved', by);
      if (!approved) throw new AppError('CONFLICT_APPROVAL_DECIDED');
      await passCrashPoint('approval.decide.after');
      const { requestedBy: operator, requestId } = approved;
      const decidedBy = { operator, requestId, approvedBy: by.name };
      resultOf(await this.post(tx, wallet, { ...operationOf(approved), decidedBy }));
      await passCrashPoint('approval.record.before');
      return approved;
    });
    await passCrashPoint('approval.record.after');
    return decided;
  }

  private locked<T>({ id }: WalletRecord, work: (tx: PoolClient) => Promise<T>): Promise<T> {
    const inOrder = async (tx: PoolClient): Promise<T> => {
      await query(tx, LOCK_WALLET, [id]);
      return work(tx);
    };
    return withTransaction(this.deps.pool, inOrder, { shouldRepeat: lostRace });
  }

  private async post(
    tx: PoolClient,
    wallet: WalletRecord,
    operation: FundingOperation,
  ): Promise<OperationOutcome> {
    const outcome = await this.apply(tx, wallet, operation);
    if (outcome.done && outcome.result.postedId !== undefined)
      await appendToOutbox(tx, walletFundedEvent(wallet, operation, outcome.result));
    return outcome;
  }

  private async apply(
    tx: PoolClient,
    wallet: WalletRecord,
    operation: FundingOperation,
  ): Promise<OperationOutcome> {
    const [outcome] = await this.deps.ledger.applyIn(tx, wallet, [operation]);
    if (!outcome) throw new Error('wallet_apply returned no outcome');
    if (outcome.done && outcome.result.postedId !== undefined) requireBelowLimit(outcome.result.balanceAfter);
    return outcome;
  }
}

/** What a balance stays below: each of its digits is then carried by a JSON number, as which it is shown. */
const BALANCE_LIMIT = decimal('10000000000000');

function requireBelowLimit(balance: string): void {
  if (decimal(balance).lessThan(BALANCE_LIMIT)) return;
  throw validationFailed([
    { path: 'amount', message: `must leave the balance below ${BALANCE_LIMIT.toFixed()}` },
  ]);
}

const REUSED: OperationOutcome = { done: false, refusal: 'reused' };

function toApproval(wallet: WalletRecord, operation: FundingOperation) {
  const { kind, amount, notes, idempotencyKey } = operation;
  return {
    action: `wallet.${kind}` as const,
    partnerId: wallet.partnerId,
    subject: wallet.id,
    amount,
    notes,
    operationKey: operationKey(wallet, operation),
    operation: { idempotencyKey },
  };
}

/** The movement exactly as it was requested, so that its key returns it afterwards. */
function operationOf({ action, amount, notes, operation }: Approval): FundingOperation {
  const kind = action === 'wallet.credit' ? 'credit' : 'adjust';
  return { kind, idempotencyKey: String(operation['idempotencyKey']), amount, notes };
}

const isSame = (approval: Approval, operation: FundingOperation): boolean =>
  requestHash(operationOf(approval)) === requestHash(operation);
