import {
  isRetryable,
  query,
  withTransaction,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import { appendToOutbox, type OutboxEvent } from '@reseller/messaging';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { postingOf } from './domain/posting';
import {
  operationKey,
  requestHash,
  type OperationOutcome,
  type OperationResult,
  type Refusal,
  type WalletOperation,
  type WalletRef,
} from './domain/wallet-operation';

const APPLIED = `outcome, posted_id, transaction_id, balance_after, available, occurred_at, reference_id`;
const CALL = `wallet_apply($1, $2, $3::bigint * interval '1 millisecond', $4::jsonb)`;

// Raw: the bench row of top-ups; a whole batch of a wallet is one statement and so one transaction.
const APPLY: PreparedStatement = { name: 'wallet_apply', text: `SELECT ${APPLIED} FROM ${CALL}` };

// Raw: the bench row of checkouts; a settled order's lines are recorded by the statement that posts them.
const APPLY_AND_SETTLE: PreparedStatement = {
  name: 'wallet_apply_and_settle',
  text: `WITH applied AS MATERIALIZED (SELECT row_number() OVER () AS n, ${APPLIED} FROM ${CALL}),
    settled AS (
      INSERT INTO settlement_lines (order_key, line_id, tx_id, quantity, goods_amount, goods_vat_amount, commission_amount,
                                    commission_vat_amount)
      SELECT l."orderKey", l."lineId", l."txId", l.quantity, l.goods, l."goodsVat", l.commission, l."commissionVat"
      FROM jsonb_to_recordset($5::jsonb) AS l ("orderKey" text, "lineId" uuid, "txId" uuid, quantity integer, goods numeric,
                                               "goodsVat" numeric, commission numeric, "commissionVat" numeric)
      JOIN applied ON applied.posted_id = l."txId")
    SELECT ${APPLIED} FROM applied ORDER BY n`,
};

/** Of a statement that lost a deadlock or a serialization. */
const ATTEMPTS = 3;

interface OutcomeRow {
  outcome: 'ok' | Refusal;
  posted_id: string | null;
  transaction_id: string | null;
  balance_after: string | null;
  available: string | null;
  occurred_at: Date | null;
  reference_id: string | null;
}

/** The writes of the ledger, all through one SQL function. */
export class LedgerRepository {
  constructor(
    private readonly pool: Pool,
    private readonly reservationTtlMs: number,
  ) {}

  /** Applies the operations in their order; each has its own outcome, and a throw means that none was applied. */
  async apply(wallet: WalletRef, operations: readonly WalletOperation[]): Promise<OperationOutcome[]> {
    // Two wallets' batches can only meet over the same key in both; whoever loses did nothing and goes again.
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.applyIn(this.pool, wallet, operations);
      } catch (error) {
        if (!isRetryable(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  /** The same in the caller's transaction, which holds the wallet's lock from here to its end. */
  async applyIn(
    db: Queryable,
    wallet: WalletRef,
    operations: readonly WalletOperation[],
  ): Promise<OperationOutcome[]> {
    const payloads = operations.map((operation) => toPayload(wallet, operation));
    const lines = operations.flatMap((operation, index) =>
      operation.kind === 'settle' ? toSettlementLines(operation, payloads[index]?.tx_id) : [],
    );
    const { partnerId, environment } = wallet;
    const values = [partnerId, environment, this.reservationTtlMs, JSON.stringify(payloads)];
    const rows =
      lines.length === 0
        ? await query<OutcomeRow>(db, APPLY, values)
        : await query<OutcomeRow>(db, APPLY_AND_SETTLE, [...values, JSON.stringify(lines)]);
    if (rows.length !== operations.length) {
      throw new Error(`wallet_apply returned ${rows.length} outcomes of ${operations.length} operations`);
    }
    return rows.map(toOutcome);
  }

  /** Applies one operation and, when it posts a movement, appends its event in the same transaction. */
  async applyWithEvent(
    wallet: WalletRef,
    operation: WalletOperation,
    eventOf: (result: OperationResult) => OutboxEvent,
  ): Promise<OperationOutcome> {
    return withTransaction(this.pool, async (tx) => {
      const [outcome] = await this.applyIn(tx, wallet, [operation]);
      if (!outcome) throw new Error('wallet_apply returned no outcome');
      if (outcome.done && outcome.result.postedId !== undefined) {
        await appendToOutbox(tx, eventOf(outcome.result));
      }
      return outcome;
    });
  }
}

type Payload = Record<string, unknown> & { tx_id?: string };

function toPayload(wallet: WalletRef, operation: WalletOperation): Payload {
  const { kind } = operation;
  if (kind === 'reserve') {
    const { reservationKey: hold, amount, reference, pinned } = operation;
    return { kind, hold, amount, reference, pinned };
  }
  if (kind === 'pin' || kind === 'release') return { kind, hold: operation.reservationKey };
  const { hold, net, walletLines, debits, debited, lines } = postingOf(operation);
  // The id is taken only by the first of several requests.
  const txId = uuidv7();
  return {
    kind,
    key: operationKey(wallet, operation),
    hash: requestHash(operation),
    tx_id: txId,
    reference: referenceOf(operation, txId),
    notes: operation.notes,
    hold_change: hold?.change,
    hold: hold?.key,
    amount: hold?.amount,
    net,
    wallet_lines: walletLines,
    debits,
    debited,
    lines,
  };
}

// A capture and its refund have the reference that their reserve named.
function referenceOf(operation: WalletOperation, txId: string): string | undefined {
  switch (operation.kind) {
    case 'credit':
    case 'adjust':
      return txId;
    case 'settle':
    case 'refund_units':
      return operation.reservationKey;
    default:
      return undefined;
  }
}

function toSettlementLines(
  { reservationKey: orderKey, lines }: Extract<WalletOperation, { kind: 'settle' }>,
  txId: string | undefined,
): object[] {
  return lines.map((line) => ({ ...line, orderKey, txId }));
}

function toOutcome(row: OutcomeRow): OperationOutcome {
  if (row.outcome !== 'ok') return { done: false, refusal: row.outcome };
  return {
    done: true,
    result: {
      postedId: row.posted_id ?? undefined,
      transactionId: row.transaction_id ?? '',
      balanceAfter: row.balance_after ?? '',
      available: row.available ?? '',
      occurredAt: row.occurred_at ?? new Date(Number.NaN),
      referenceId: row.reference_id ?? '',
    },
  };
}
