import { query, withTransaction, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Pool } from 'pg';
import type { MoneyOperation, OperationOutcome, WalletRef } from '../ledger/domain/wallet-operation';
import { lostRace, type LedgerRepository } from '../ledger/ledger.repository';
import type { LineAmounts, SettledLine } from './domain/settlement';

// Raw: all that follows is one transaction with the movement, under the lock of the order's lines.
const LOCK_LINES: PreparedStatement = {
  name: 'settlement_lock_lines',
  text: `SELECT l.line_id AS "lineId", l.quantity, l.goods_amount AS goods, l.goods_vat_amount AS "goodsVat",
           l.commission_amount AS commission, l.commission_vat_amount AS "commissionVat", l.refunded_quantity AS "refundedQuantity"
         FROM settlement_lines AS l JOIN ledger_transactions AS t ON t.id = l.tx_id
         WHERE l.order_key = $1 AND t.wallet_id = $2
         ORDER BY l.line_id FOR UPDATE OF l`,
};
const FIND_REFUND: PreparedStatement = {
  name: 'settlement_find_refund',
  text: `SELECT t.request_hash AS "requestHash", t.wallet_id AS "walletId", t.created_at AS "refundedAt",
           r.refunded_amount AS "refundedAmount", r.clawed_back_amount AS "clawedBackAmount", r.lines
         FROM ledger_transactions AS t JOIN settlement_refunds AS r ON r.tx_id = t.id WHERE t.op_key = $1`,
};
const COUNT_UNITS: PreparedStatement = {
  name: 'settlement_count_units',
  text: `UPDATE settlement_lines AS l SET refunded_quantity = l.refunded_quantity + u.quantity
         FROM unnest($2::uuid[], $3::integer[]) AS u (line_id, quantity)
         WHERE l.order_key = $1 AND l.line_id = u.line_id`,
};
const INSERT_REFUND: PreparedStatement = {
  name: 'settlement_insert_refund',
  text: `INSERT INTO settlement_refunds (tx_id, order_key, refunded_amount, clawed_back_amount, lines)
         VALUES ($1, $2, $3, $4, $5::jsonb)`,
};

/** What came back of a settled order by one operation. */
export interface UnitsRefunded {
  readonly refundedAt: Date;
  readonly refundedAmount: string;
  readonly clawedBackAmount: string;
  readonly lines: readonly LineAmounts[];
}

/** A refund on record, with what its request is known by. */
interface RefundRecord extends UnitsRefunded {
  readonly requestHash: string;
  readonly walletId: string;
}

/** A refund of units under way. */
class RefundTransaction {
  constructor(
    private readonly tx: Queryable,
    private readonly ledger: LedgerRepository,
  ) {}

  /** The lines of an order that this wallet settled, none for any other; nobody else gives units of them back until the end. */
  lockLines(orderKey: string, walletId: string): Promise<SettledLine[]> {
    return query<SettledLine>(this.tx, LOCK_LINES, [orderKey, walletId]);
  }

  /** The refund that was posted under this key of the ledger. */
  async findRefund(operationKey: string): Promise<RefundRecord | undefined> {
    const [record] = await query<RefundRecord>(this.tx, FIND_REFUND, [operationKey]);
    return record;
  }

  /** Posts the movement. */
  async post(wallet: WalletRef, operation: MoneyOperation): Promise<OperationOutcome> {
    const [outcome] = await this.ledger.applyIn(this.tx, wallet, [operation]);
    if (!outcome) throw new Error('wallet_apply returned no outcome');
    return outcome;
  }

  /** Counts the units as given back, and keeps what they came to for repetitions. */
  async record(
    txId: string,
    orderKey: string,
    { refundedAmount, clawedBackAmount, lines }: UnitsRefunded,
  ): Promise<void> {
    const ids = lines.map(({ lineId }) => lineId);
    const quantities = lines.map(({ quantity }) => quantity);
    await query(this.tx, COUNT_UNITS, [orderKey, ids, quantities]);
    const values = [txId, orderKey, refundedAmount, clawedBackAmount, JSON.stringify(lines)];
    await query(this.tx, INSERT_REFUND, values);
  }
}

/** Keeps the lines of settled orders. */
export class SettlementRepository {
  constructor(
    private readonly pool: Pool,
    private readonly ledger: LedgerRepository,
  ) {}

  /** Runs a refund of units in one transaction; a throw leaves nothing behind. */
  refund<T>(work: (refund: RefundTransaction) => Promise<T>): Promise<T> {
    const inTransaction = (tx: Queryable): Promise<T> => work(new RefundTransaction(tx, this.ledger));
    return withTransaction(this.pool, inTransaction, { shouldRepeat: lostRace });
  }
}
