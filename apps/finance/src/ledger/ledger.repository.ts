import {
  isRetryable,
  isUniqueViolation,
  query,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import type { Pool } from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { postingOf } from './domain/posting';
import {
  operationKey,
  requestHash,
  type OperationOutcome,
  type Refusal,
  type WalletOperation,
  type WalletRef,
} from './domain/wallet-operation';

const APPLIED = `outcome, posted_id, transaction_id, balance_after, available, occurred_at, reference_id`;
// One statement sees the rate that a balance read sees at that moment (spec §3.3).
const RATE = `LEFT JOIN (SELECT d.currency AS display_currency, d.rate FROM partner_profiles p
    JOIN display_rates d ON d.currency = p.display_currency WHERE p.partner_id = $1) AS r ON true`;
const CALL = `wallet_apply($1, $2, $3::bigint * interval '1 millisecond', $4::jsonb)`;

// Raw: the bench row of top-ups; a whole batch of a wallet is one statement and so one transaction.
const APPLY: PreparedStatement = {
  name: 'wallet_apply',
  text: `SELECT ${APPLIED}, display_currency, rate FROM ${CALL} ${RATE}`,
};

// A settled order's lines are recorded by the statement that posts them.
const settled = (lines: '$3' | '$5'): string => `settled AS (
      INSERT INTO settlement_lines (order_key, line_id, tx_id, quantity, goods_amount, goods_vat_amount, commission_amount,
                                    commission_vat_amount)
      SELECT l."orderKey", l."lineId", l."txId", l.quantity, l.goods, l."goodsVat", l.commission, l."commissionVat"
      FROM jsonb_to_recordset(${lines}::jsonb) AS l ("orderKey" text, "lineId" uuid, "txId" uuid, quantity integer, goods numeric,
                                               "goodsVat" numeric, commission numeric, "commissionVat" numeric)
      JOIN applied ON applied.posted_id = l."txId")`;

// Raw: the bench row of checkouts.
const APPLY_AND_SETTLE: PreparedStatement = {
  name: 'wallet_apply_and_settle',
  text: `WITH applied AS MATERIALIZED (SELECT row_number() OVER () AS n, ${APPLIED} FROM ${CALL}),
    ${settled('$5')}
    SELECT ${APPLIED} FROM applied ORDER BY n`,
};

// What waits for several wallets. One that somebody else holds right now is left out: nobody waits for another wallet's lock, and
// no two statements for each other.
const TO_MANY = `batch AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset($2::jsonb) AS b (n integer, partner_id uuid, environment text, ops jsonb)),
    locked AS MATERIALIZED (
      SELECT w.partner_id, w.environment FROM batch b
      JOIN wallets w ON w.partner_id = b.partner_id AND w.environment = b.environment FOR NO KEY UPDATE OF w SKIP LOCKED),
    ready AS MATERIALIZED (
      SELECT b.* FROM batch b
      WHERE EXISTS (SELECT FROM locked l WHERE l.partner_id = b.partner_id AND l.environment = b.environment)
         OR NOT EXISTS (SELECT FROM wallets w WHERE w.partner_id = b.partner_id AND w.environment = b.environment)),
    applied AS MATERIALIZED (
      SELECT b.n, b.partner_id, a.* FROM ready b
      CROSS JOIN LATERAL wallet_apply(b.partner_id, b.environment, $1::bigint * interval '1 millisecond', b.ops)
        WITH ORDINALITY AS a (${APPLIED}, place))`;

// Raw: the bench row of top-ups of many wallets; batches of all of them are one statement and so one transaction.
const APPLY_TO_MANY: PreparedStatement = {
  name: 'wallet_apply_to_many',
  text: `WITH ${TO_MANY}
    SELECT n, ${APPLIED}, d.currency AS display_currency, d.rate FROM applied
    LEFT JOIN partner_profiles p ON p.partner_id = applied.partner_id
    LEFT JOIN display_rates d ON d.currency = p.display_currency
    ORDER BY n, place`,
};

// Raw: the bench row of checkouts.
const APPLY_TO_MANY_AND_SETTLE: PreparedStatement = {
  name: 'wallet_apply_to_many_and_settle',
  text: `WITH ${TO_MANY}, ${settled('$3')} SELECT n, ${APPLIED} FROM applied ORDER BY n, place`,
};

/** Of a statement that lost a race. */
const ATTEMPTS = 3;

/**
 * Whether a movement lost a race and did nothing: a deadlock, or its key to another wallet between its look-up and its insert.
 * Whoever goes again finds the key taken, and is refused for it.
 */
export const lostRace = (error: unknown): boolean =>
  isRetryable(error) || isUniqueViolation(error, 'ledger_transaction_op_key_once');

interface OutcomeRow {
  outcome: 'ok' | Refusal;
  posted_id: string | null;
  transaction_id: string | null;
  balance_after: string | null;
  available: string | null;
  occurred_at: Date | null;
  reference_id: string | null;
  display_currency?: string | null;
  rate?: string | null;
}

/** What waits for one wallet. */
export interface WalletBatch {
  readonly wallet: WalletRef;
  readonly operations: readonly WalletOperation[];
}

/** The writes of the ledger, all through one SQL function. */
export class LedgerRepository {
  constructor(
    private readonly pool: Pool,
    private readonly reservationTtlMs: number,
  ) {}

  /**
   * Applies operations of several wallets, each wallet's in their order, all or (by a throw) none; undefined for a wallet that
   * somebody else holds locked, to which nothing was applied.
   */
  async applyToMany(batches: readonly WalletBatch[]): Promise<(OperationOutcome[] | undefined)[]> {
    const lines: object[] = [];
    const batch = batches.map(({ wallet, operations }, n) => {
      const ops = operations.map((operation) => toPayload(wallet, operation));
      lines.push(...linesSettledBy(operations, ops));
      return { n, partner_id: wallet.partnerId, environment: wallet.environment, ops };
    });
    const values = [this.reservationTtlMs, JSON.stringify(batch)];
    const rows =
      lines.length === 0
        ? await query<OutcomeRow & { n: number }>(this.pool, APPLY_TO_MANY, values)
        : await query<OutcomeRow & { n: number }>(this.pool, APPLY_TO_MANY_AND_SETTLE, [
            ...values,
            JSON.stringify(lines),
          ]);
    const outcomes = batches.map((): OperationOutcome[] => []);
    for (const { n, ...row } of rows) outcomes[n]?.push(toOutcome(row));
    return outcomes.map((applied, n) => {
      if (applied.length === 0) return undefined;
      if (applied.length === batches[n]?.operations.length) return applied;
      throw new Error('wallet_apply returned another number of outcomes than there were operations');
    });
  }

  /** Applies the operations in their order; each has its own outcome, and a throw means that none was applied. */
  async apply(wallet: WalletRef, operations: readonly WalletOperation[]): Promise<OperationOutcome[]> {
    // Two wallets' batches can only meet over the same key in both; whoever loses did nothing and goes again.
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.applyIn(this.pool, wallet, operations);
      } catch (error) {
        if (!lostRace(error) || attempt === ATTEMPTS) throw error;
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
    const lines = linesSettledBy(operations, payloads);
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
}

type Payload = Record<string, unknown> & { tx_id?: string };

function toPayload(wallet: WalletRef, operation: WalletOperation): Payload {
  const { kind } = operation;
  if (kind === 'reserve') {
    const {
      reservationKey: hold,
      amount,
      reference,
      pinned,
      submittedAt: submitted_at,
      recipient,
    } = operation;
    return { kind, hold, amount, reference, pinned, submitted_at, recipient };
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
    operator: operation.decidedBy?.operator,
    request_id: operation.decidedBy?.requestId,
    approved_by: operation.decidedBy?.approvedBy,
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

function linesSettledBy(operations: readonly WalletOperation[], payloads: readonly Payload[]): object[] {
  return operations.flatMap((operation, index) =>
    operation.kind === 'settle' ? toSettlementLines(operation, payloads[index]?.tx_id) : [],
  );
}

function toSettlementLines(
  { reservationKey: orderKey, lines }: Extract<WalletOperation, { kind: 'settle' }>,
  txId: string | undefined,
): object[] {
  return lines.map((line) => ({ ...line, orderKey, txId }));
}

function toOutcome(row: OutcomeRow): OperationOutcome {
  if (row.outcome !== 'ok') {
    // Where a limit refuses a hold, it stands where what is left to spend would.
    const limit = row.available === null ? {} : { limit: row.available };
    return { done: false, refusal: row.outcome, ...limit };
  }
  return {
    done: true,
    result: {
      postedId: row.posted_id ?? undefined,
      transactionId: row.transaction_id ?? '',
      balanceAfter: row.balance_after ?? '',
      available: row.available ?? '',
      occurredAt: row.occurred_at ?? new Date(Number.NaN),
      referenceId: row.reference_id ?? '',
      displayRate:
        row.display_currency && row.rate ? { currency: row.display_currency, rate: row.rate } : undefined,
    },
  };
}
