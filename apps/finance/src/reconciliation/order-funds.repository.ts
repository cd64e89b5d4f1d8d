import { FundsState, type OrderFunds } from '@reseller/contracts';
import { pageOf, query, type PreparedStatement, type Queryable } from '@reseller/database';

const LIST: PreparedStatement = {
  name: 'order_funds',
  text: `SELECT op_key AS key, state, amount, captured, refunded FROM reservation WHERE op_key = ANY ($1::text[])`,
};
const FUNDED: PreparedStatement = {
  name: 'order_funds_keys',
  text: `SELECT op_key AS subject FROM reservation WHERE op_key > $1 AND state IN ('active', 'captured')
    ORDER BY op_key LIMIT $2`,
};

const STATES: Readonly<Record<string, FundsState>> = {
  active: FundsState.HELD,
  captured: FundsState.CHARGED,
  released: FundsState.ENDED,
  expired: FundsState.ENDED,
};

/** Reads reservations by the orders they are for. */
export class OrderFundsRepository {
  constructor(private readonly db: Queryable) {}

  /** Of these keys, those that are known. */
  async list(keys: readonly string[]): Promise<OrderFunds[]> {
    const rows = await query<Omit<OrderFunds, 'state'> & { state: string }>(this.db, LIST, [keys]);
    return rows.map(({ state, ...row }) => ({ ...row, state: STATES[state] ?? FundsState.UNSPECIFIED }));
  }

  /** Keys that hold or were charged, in their order, after one ('' for the first). */
  fundedKeys(after: string, limit: number): Promise<string[]> {
    return pageOf(this.db, FUNDED, after, limit);
  }
}
