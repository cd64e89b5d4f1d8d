import { Checkout } from '@reseller/contracts';
import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import { currentHeaders } from '@reseller/telemetry';
import type { DiscountRefusal } from '../discount/domain/assess-discount-code';
import type { Owner } from '../owner';

// Raw: checkout of a 5-line cart; each step of an order is one prepared statement.
const FIND: PreparedStatement = {
  name: 'find_checkout',
  text: `SELECT partner_id AS "partnerId", environment, state, response FROM checkouts WHERE order_key = $1`,
};
const BEGIN: PreparedStatement = {
  name: 'begin_checkout',
  text: 'SELECT outcome, short FROM begin_checkout($1, $2, $3, $4, $5, $6, $7, $8, $9)',
};
const COMMIT: PreparedStatement = {
  name: 'commit_checkout',
  text: 'SELECT commit_checkout($1, $2, $3) AS "isDone"',
};
// Raw: what others wait for is locked for one round trip, in the order in which everybody locks it.
const CANCEL: PreparedStatement = {
  name: 'cancel_checkout',
  text: 'SELECT * FROM cancel_checkout($1, $2, $3, $4)',
};
const RESTOCK: PreparedStatement = {
  name: 'restock_units',
  text: 'SELECT * FROM restock_units($1, $2, $3, $4, $5, $6, $7)',
};

/** A checkout as it stands; one cancelled before it began has no response. */
export interface CheckoutRecord extends Owner {
  state: 'Begun' | 'Committed' | 'Cancelled';
  checkout: Checkout | undefined;
}

/** Whose a checkout is, and how far. */
export type CheckoutStanding = Omit<CheckoutRecord, 'checkout'>;

/**
 * Whether a checkout began; Known: the key is taken; Short: by these variants; Gone: the cart is no longer Open; Frozen: by
 * another order; Changed: since it was priced; else why a cap of the code refuses it.
 */
export type BeginResult =
  | { outcome: 'Begun' | 'Known' | 'Gone' | 'Frozen' | 'Changed' | DiscountRefusal }
  | { outcome: 'Short'; short: string[] };

/** What is to be held, the cart's version that was priced, and the code of which a slot is taken. */
export interface CheckoutDraft {
  checkout: Checkout;
  cartVersion: string;
  codeId?: string | undefined;
}

/** Units of one variant; each variant at most once in a list. */
export interface StockLine {
  variantId: string;
  quantity: number;
}

/** Keeps checkouts, each a hold on a cart and its stock. */
export class CheckoutRepository {
  constructor(private readonly db: Queryable) {}

  /** The checkout of a key, whoever's it is. */
  async find(orderKey: string): Promise<CheckoutRecord | undefined> {
    return toRecord(await query<CheckoutRow>(this.db, FIND, [orderKey]));
  }

  /** Records a checkout and holds its cart, its code's slot and its stock for it; anything but Begun has changed nothing. */
  async begin(owner: Owner, { checkout, cartVersion, codeId }: CheckoutDraft): Promise<BeginResult> {
    const [row] = await query<BeginResult>(this.db, BEGIN, [
      checkout.orderKey,
      owner.partnerId,
      owner.environment,
      checkout.cartId,
      cartVersion,
      checkout.lockId ?? null,
      Buffer.from(Checkout.encode(checkout).finish()),
      codeId ?? null,
      checkout.customerRef ?? null,
    ]);
    if (!row) throw new Error('begin_checkout returned nothing');
    return row;
  }

  /** Uses up what the owner's checkout that is Begun holds; false when there is none, and nothing has changed. */
  async commit({ partnerId, environment }: Owner, orderKey: string): Promise<boolean> {
    const [row] = await query<{ isDone: boolean }>(this.db, COMMIT, [orderKey, partnerId, environment]);
    return row?.isDone ?? false;
  }

  /**
   * Cancels the owner's checkout if it is Begun, or uses its key up if there is none; its cart is free again. Returns it as it
   * was found, Cancelled where there was none.
   */
  async cancel({ partnerId, environment }: Owner, orderKey: string): Promise<CheckoutStanding | undefined> {
    const values = [orderKey, partnerId, environment, JSON.stringify(currentHeaders())];
    return (await query<CheckoutStanding>(this.db, CANCEL, values))[0];
  }

  /** Puts units of the owner's committed checkout back on hand, once for each key, if so many are still out. */
  async restock(
    { partnerId, environment }: Owner,
    { orderKey, restockKey, lines }: { orderKey: string; restockKey: string; lines: readonly StockLine[] },
  ): Promise<{ found: CheckoutStanding | undefined; isRestocked: boolean }> {
    const [row] = await query<CheckoutStanding & { isRestocked: boolean }>(this.db, RESTOCK, [
      orderKey,
      partnerId,
      environment,
      restockKey,
      lines.map(({ variantId }) => variantId),
      lines.map(({ quantity }) => quantity),
      JSON.stringify(currentHeaders()),
    ]);
    return { found: row?.partnerId ? row : undefined, isRestocked: row?.isRestocked ?? false };
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
