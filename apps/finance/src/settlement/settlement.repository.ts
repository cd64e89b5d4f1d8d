import { isRetryable, query, type PreparedStatement, type Queryable } from '@reseller/database';
import { hash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Refusal, WalletRef } from '../ledger/domain/wallet-operation';
import type { LineAmounts, OrderSettlement, UnitsRefund } from './domain/settlement';

const SETTLE: PreparedStatement = {
  name: 'order_settle',
  text: `SELECT outcome, settled_at, balance_after FROM order_settle($1, $2, $3, $4, $5, $6, $7::jsonb)`,
};
const REFUND_UNITS: PreparedStatement = {
  name: 'order_refund_units',
  text: `SELECT outcome, refunded_at, refunded_amount, clawed_back_amount, lines
         FROM order_refund_units($1, $2, $3, $4, $5, $6, $7, $8::jsonb)`,
};

/** Of a statement that lost a deadlock or a serialization. */
const ATTEMPTS = 3;

interface SettleRow {
  outcome: 'ok' | Refusal;
  settled_at: Date;
  balance_after: string;
}

interface RefundRow {
  outcome: 'ok' | Refusal;
  refunded_at: Date;
  refunded_amount: string;
  clawed_back_amount: string;
  lines: {
    line_id: string;
    quantity: number;
    goods: string;
    goods_vat: string;
    commission: string;
    commission_vat: string;
  }[];
}

/** What a settlement answered, at its first asking or a repetition. */
export interface Settled {
  readonly settledAt: Date;
  readonly balanceAfter: string;
}

/** What a refund of units answered, at its first asking or a repetition. */
export interface UnitsRefunded {
  readonly refundedAt: Date;
  readonly refundedAmount: string;
  readonly clawedBackAmount: string;
  readonly lines: readonly LineAmounts[];
}

/** Settles orders and gives units back; each is one statement, under the wallet's lock. A refusal leaves nothing behind. */
export class SettlementRepository {
  constructor(private readonly db: Queryable) {}

  async settle(wallet: WalletRef, { orderKey, lines, notes }: OrderSettlement): Promise<Settled | Refusal> {
    const rows = lines.map(({ lineId, quantity, goods, goodsVat, commission, commissionVat }) => ({
      line_id: lineId,
      quantity,
      goods,
      goods_vat: goodsVat,
      commission,
      commission_vat: commissionVat,
    }));
    const values = [wallet.partnerId, wallet.environment, orderKey, uuidv7(), hashOf(rows, notes), notes];
    const row = await this.run<SettleRow>(SETTLE, [...values, JSON.stringify(rows)]);
    if (row.outcome !== 'ok') return row.outcome;
    return { settledAt: row.settled_at, balanceAfter: row.balance_after };
  }

  async refundUnits(wallet: WalletRef, refund: UnitsRefund): Promise<UnitsRefunded | Refusal> {
    const { operationKey, orderKey, notes } = refund;
    const rows = refund.lines.map(({ lineId, quantity }) => ({ line_id: lineId, quantity }));
    const { partnerId, environment } = wallet;
    const values = [partnerId, environment, operationKey, orderKey, uuidv7(), hashOf(rows, notes), notes];
    const row = await this.run<RefundRow>(REFUND_UNITS, [...values, JSON.stringify(rows)]);
    if (row.outcome !== 'ok') return row.outcome;
    return {
      refundedAt: row.refunded_at,
      refundedAmount: row.refunded_amount,
      clawedBackAmount: row.clawed_back_amount,
      lines: row.lines.map(({ line_id, quantity, goods, goods_vat, commission, commission_vat }) => ({
        lineId: line_id,
        quantity,
        goods,
        goodsVat: goods_vat,
        commission,
        commissionVat: commission_vat,
      })),
    };
  }

  private async run<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const [row] = await query<Row>(this.db, statement, values);
        if (!row) throw new Error(`${statement.name} answered nothing`);
        return row;
      } catch (error) {
        if (!isRetryable(error) || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

function hashOf(lines: readonly object[], notes: string): string {
  return hash('sha256', JSON.stringify([lines, notes]), 'base64url');
}
