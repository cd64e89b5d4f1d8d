import { isRetryable, query, type PreparedStatement, type Queryable } from '@reseller/database';
import { v7 as uuidv7 } from 'uuid';
import {
  operationKey,
  requestHash,
  type OperationOutcome,
  type Refusal,
  type WalletOperation,
  type WalletRef,
} from './domain/wallet-operation';

const APPLY: PreparedStatement = {
  name: 'wallet_apply',
  text: `SELECT outcome, transaction_id, balance_after, available, occurred_at, reference_id
         FROM wallet_apply($1, $2, $3::bigint * interval '1 millisecond', $4::jsonb)`,
};

/** Of a statement that lost a deadlock or a serialization. */
const ATTEMPTS = 3;

interface OutcomeRow {
  outcome: 'ok' | Refusal;
  transaction_id: string | null;
  balance_after: string | null;
  available: string | null;
  occurred_at: Date | null;
  reference_id: string | null;
}

/** The writes of the ledger: all through one SQL function, in one statement and so in one transaction. */
export class LedgerRepository {
  constructor(
    private readonly db: Queryable,
    private readonly reservationTtlMs: number,
  ) {}

  /** Applies the operations in their order; each has its own outcome, and a throw means that none was applied. */
  async apply(wallet: WalletRef, operations: readonly WalletOperation[]): Promise<OperationOutcome[]> {
    const payload = JSON.stringify(operations.map((operation) => toPayload(wallet, operation)));
    const values = [wallet.partnerId, wallet.environment, this.reservationTtlMs, payload];
    const rows = await this.run(values);
    if (rows.length !== operations.length) {
      throw new Error(`wallet_apply answered ${rows.length} of ${operations.length} operations`);
    }
    return rows.map(toOutcome);
  }

  // Two wallets' batches can only meet over the same key in both; whoever loses did nothing and goes again.
  private async run(values: unknown[]): Promise<OutcomeRow[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await query<OutcomeRow>(this.db, APPLY, values);
      } catch (error) {
        if (!isRetryable(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

function toPayload(wallet: WalletRef, operation: WalletOperation): Record<string, unknown> {
  const { kind } = operation;
  const key = operationKey(wallet, operation);
  switch (kind) {
    case 'reserve':
      return {
        kind,
        key,
        amount: operation.amount,
        reference: operation.reference,
        pinned: operation.pinned,
      };
    case 'pin':
    case 'release':
      return { kind, key };
    case 'capture':
    case 'refund':
    case 'credit':
    case 'adjust': {
      const { amount, notes } = operation;
      const reservation = kind === 'refund' ? operation.reservationKey : undefined;
      // The id is taken only by the first of several askings.
      return { kind, key, tx_id: uuidv7(), amount, notes, hash: requestHash(operation), reservation };
    }
  }
}

function toOutcome(row: OutcomeRow): OperationOutcome {
  if (row.outcome !== 'ok') return { done: false, refusal: row.outcome };
  return {
    done: true,
    result: {
      transactionId: row.transaction_id ?? '',
      balanceAfter: row.balance_after ?? '',
      available: row.available ?? '',
      occurredAt: row.occurred_at ?? new Date(Number.NaN),
      referenceId: row.reference_id ?? '',
    },
  };
}
