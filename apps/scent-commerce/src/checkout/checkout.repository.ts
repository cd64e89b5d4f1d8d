import { Checkout } from '@reseller/contracts';
import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { Owner } from '../owner';

const SELECT = `SELECT partner_id AS "partnerId", environment, state, response FROM checkouts WHERE order_key = $1`;

// Raw: checkout of a 5-line cart; each step of an order is one prepared statement.
const FIND: PreparedStatement = { name: 'find_checkout', text: SELECT };
const BEGIN: PreparedStatement = {
  name: 'begin_checkout',
  text: 'SELECT outcome, short FROM begin_checkout($1, $2, $3, $4, $5, $6, $7)',
};
const COMMIT: PreparedStatement = {
  name: 'commit_checkout',
  text: 'SELECT commit_checkout($1) AS "isDone"',
};
// Raw: a checkout is cancelled, and its units put back, under its row lock and in the transaction of its stock.
const LOCK: PreparedStatement = { name: 'lock_checkout', text: `${SELECT} FOR NO KEY UPDATE` };
const INSERT_CANCELLED: PreparedStatement = {
  name: 'insert_cancelled_checkout',
  text: `INSERT INTO checkouts (order_key, partner_id, environment, state) VALUES ($1, $2, $3, 'Cancelled')
         ON CONFLICT (order_key) DO NOTHING RETURNING 1`,
};
// The wait for the order was no idleness of the customer's.
const CANCEL: PreparedStatement = {
  name: 'cancel_checkout',
  text: `WITH cancelled AS (
           UPDATE checkouts SET state = 'Cancelled', changed_at = clock_timestamp() WHERE order_key = $1
         )
         UPDATE carts SET order_key = NULL, touched_at = clock_timestamp() WHERE order_key = $1`,
};

/** A checkout as it stands; one cancelled before it began has no response. */
export interface CheckoutRecord extends Owner {
  state: 'Begun' | 'Committed' | 'Cancelled';
  checkout: Checkout | undefined;
}

/** Whether a checkout began; Known: the key is taken; Short: by these variants; Gone: the cart is no longer Open; Frozen: by another order; Changed: since it was priced. */
export type BeginResult =
  { outcome: 'Begun' | 'Known' | 'Gone' | 'Frozen' | 'Changed' } | { outcome: 'Short'; short: string[] };

/** What is to be held, and the cart's version that was priced. */
export interface CheckoutDraft {
  checkout: Checkout;
  cartVersion: string;
}

/** Keeps checkouts, each a hold on a cart and its stock. */
export class CheckoutRepository {
  constructor(private readonly db: Queryable) {}

  /** The checkout of a key, whoever's it is. */
  async find(orderKey: string): Promise<CheckoutRecord | undefined> {
    return toRecord(await query<CheckoutRow>(this.db, FIND, [orderKey]));
  }

  /** The same, locked until the transaction ends. */
  async lock(tx: Queryable, orderKey: string): Promise<CheckoutRecord | undefined> {
    return toRecord(await query<CheckoutRow>(tx, LOCK, [orderKey]));
  }

  /** Records a checkout and holds its cart and its stock for it; anything but Begun has changed nothing. */
  async begin(db: Queryable, owner: Owner, { checkout, cartVersion }: CheckoutDraft): Promise<BeginResult> {
    const [row] = await query<BeginResult>(db, BEGIN, [
      checkout.orderKey,
      owner.partnerId,
      owner.environment,
      checkout.cartId,
      cartVersion,
      checkout.lockId ?? null,
      Buffer.from(Checkout.encode(checkout).finish()),
    ]);
    if (!row) throw new Error('begin_checkout returned nothing');
    return row;
  }

  /** Uses up what a checkout that is Begun holds; false when it is not, and nothing has changed. */
  async commit(orderKey: string): Promise<boolean> {
    const [row] = await query<{ isDone: boolean }>(this.db, COMMIT, [orderKey]);
    return row?.isDone ?? false;
  }

  /** Uses a key up before its checkout began; false when the key is known. */
  async insertCancelled({ partnerId, environment }: Owner, orderKey: string): Promise<boolean> {
    return (await query(this.db, INSERT_CANCELLED, [orderKey, partnerId, environment])).length > 0;
  }

  /** Cancels a checkout that the caller has locked and found Begun; its cart is free again. */
  async cancel(tx: Queryable, orderKey: string): Promise<void> {
    await query(tx, CANCEL, [orderKey]);
  }
}

interface CheckoutRow extends Omit<CheckoutRecord, 'checkout'> {
  response: Buffer | null;
}

function toRecord([row]: CheckoutRow[]): CheckoutRecord | undefined {
  if (!row) return undefined;
  const { response, ...record } = row;
  return { ...record, checkout: response ? Checkout.decode(response) : undefined };
}
