import { CheckoutState, type KeyedCheckoutState } from '@reseller/contracts';
import { pageOf, query, type PreparedStatement, type Queryable } from '@reseller/database';

const LIST: PreparedStatement = {
  name: 'checkout_states',
  text: 'SELECT order_key AS key, state FROM checkouts WHERE order_key = ANY ($1::text[])',
};
const KEYS: PreparedStatement = {
  name: 'checkout_keys',
  text: `SELECT order_key AS subject FROM checkouts WHERE order_key > $1 AND state <> 'Cancelled' ORDER BY order_key LIMIT $2`,
};

const STATES: Readonly<Record<string, CheckoutState>> = {
  Begun: CheckoutState.BEGUN,
  Committed: CheckoutState.COMMITTED,
  Cancelled: CheckoutState.CANCELLED,
};

/** Reads where checkouts stand. */
export class CheckoutStateRepository {
  constructor(private readonly db: Queryable) {}

  /** Of these keys, those that are known. */
  async list(keys: readonly string[]): Promise<KeyedCheckoutState[]> {
    const rows = await query<{ key: string; state: string }>(this.db, LIST, [keys]);
    return rows.map(({ key, state }) => ({ key, state: STATES[state] ?? CheckoutState.UNSPECIFIED }));
  }

  /** Keys of checkouts that are begun or committed, in their order, after one ('' for the first). */
  keys(after: string, limit: number): Promise<string[]> {
    return pageOf(this.db, KEYS, after, limit);
  }
}
