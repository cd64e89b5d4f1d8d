import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { CartOwner } from './cart-owner';
import type { OpenCart, UnpricedLines } from './domain/cart-line';
import { toOpenCart, toUnpricedLines, type PricedRow } from './priced-row.mapper';

// Raw: cart add + preview; one statement changes a cart and reads all that pricing it needs.
const CHANGE_CART: PreparedStatement = {
  name: 'change_cart',
  text: 'SELECT * FROM change_cart($1, $2, $3, $4, $5, $6, $7, $8)',
};
// Raw: quoted lines are read by the statement that reads a cart's.
const QUOTE: PreparedStatement = {
  name: 'quote_lines',
  text: `SELECT * FROM price_lines('Done', NULL, $1, $2, $3, $4)`,
};
// Raw: a batch of a job, past the carts that others are changing.
const ABANDON_IDLE: PreparedStatement = {
  name: 'abandon_idle_carts',
  text: `UPDATE carts SET status = 'Abandoned' WHERE id IN (
           SELECT id FROM carts
           WHERE status = 'Open' AND order_key IS NULL
             AND touched_on <= ((clock_timestamp() - $1 * interval '1 millisecond') AT TIME ZONE 'UTC')::date
             AND touched_at <= clock_timestamp() - $1 * interval '1 millisecond'
           ORDER BY touched_on LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)`,
};

// Raw: a batch of a job, past the carts that others are using.
const REMOVE_UNUSED: PreparedStatement = {
  name: 'remove_unused_carts',
  text: `DELETE FROM carts WHERE id IN (
           SELECT id FROM carts
           WHERE status = 'Open' AND NOT had_lines AND created_at <= clock_timestamp() - $1 * interval '1 millisecond'
             AND touched_at <= clock_timestamp() - $1 * interval '1 millisecond'
           ORDER BY created_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
};

/** What is done to a cart. */
export type CartChange =
  | { kind: 'read' | 'clear' }
  | { kind: 'remove'; variantId: string }
  | { kind: 'add' | 'set'; variantId: string; quantity: number };

/** Why nothing was changed. */
export type CartRefusal = 'NoVariant' | 'NoLine' | 'Frozen' | 'TooManyUnits' | 'TooManyLines';

/** A line of a quote. */
export interface QuotedLine {
  variantId: string;
  quantity: number;
}

/** Reads and changes carts, each in one statement that also reads everything needed to price the cart. */
export class CartRepository {
  constructor(
    private readonly db: Queryable,
    private readonly idleMs: number,
  ) {}

  /** Reads or changes a customer's Open cart, made when there is none, and returns it as it is after that; or why nothing was changed. */
  async change(owner: CartOwner, change: CartChange): Promise<OpenCart | CartRefusal> {
    const rows = await query<PricedRow>(this.db, CHANGE_CART, [
      change.kind,
      owner.partnerId,
      owner.environment,
      owner.customerRef ?? null,
      owner.path ?? null,
      this.idleMs,
      'variantId' in change ? change.variantId : null,
      'quantity' in change ? change.quantity : null,
    ]);
    const outcome = rows[0]?.outcome;
    return outcome === 'Done' ? toOpenCart(rows) : (outcome as CartRefusal);
  }

  /** The customer's Open cart, made when there is none. */
  async read(owner: CartOwner): Promise<OpenCart> {
    return (await this.change(owner, { kind: 'read' })) as OpenCart;
  }

  /** Lines that are in no cart, in the order requested; those of unknown variants are left out. */
  async quote(owner: CartOwner, lines: readonly QuotedLine[]): Promise<UnpricedLines> {
    const ids = lines.map(({ variantId }) => variantId);
    const quantities = lines.map(({ quantity }) => quantity);
    const values = [owner.partnerId, owner.path ?? null, ids, quantities];
    return toUnpricedLines(await query<PricedRow>(this.db, QUOTE, values));
  }

  /** Abandons carts that nobody changed for too long, at most so many; returns how many. */
  async abandonIdle(limit: number): Promise<number> {
    const result = await this.db.query({ ...ABANDON_IDLE, values: [this.idleMs, limit] });
    return result.rowCount ?? 0;
  }

  /** Removes carts that never had a line and were not used for so many milliseconds, at most so many; returns how many. */
  async removeUnused(unusedMs: number, limit: number): Promise<number> {
    const result = await this.db.query({ ...REMOVE_UNUSED, values: [unusedMs, limit] });
    return result.rowCount ?? 0;
  }
}
