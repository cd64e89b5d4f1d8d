import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PartnerScope } from '../partner-scope';
import type { LoadedCart, ShopLines } from './domain/shop-line';
import { toShopLines, type PricedRow } from './priced-row';

const CART_DO: PreparedStatement = {
  name: 'cart_do',
  text: 'SELECT * FROM cart_do($1, $2, $3, $4, $5, $6, $7, $8)',
};
const QUOTE_ROWS: PreparedStatement = {
  name: 'quote_rows',
  text: 'SELECT * FROM quote_rows($1, $2, $3, $4)',
};
const ABANDON_IDLE: PreparedStatement = {
  name: 'abandon_idle_carts',
  text: `UPDATE carts SET status = 'Abandoned' WHERE id IN (
           SELECT id FROM carts
           WHERE status = 'Open' AND order_key IS NULL
             AND touched_on <= ((clock_timestamp() - $1 * interval '1 millisecond') AT TIME ZONE 'UTC')::date
             AND touched_at <= clock_timestamp() - $1 * interval '1 millisecond'
           ORDER BY touched_on LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)`,
};

/** Whose cart: a partner's in one environment, its prices found along the path from the root down to it. */
export interface CartOwner extends PartnerScope {
  /** Counts only for a partner not heard of yet; otherwise the path last heard of does. */
  path: readonly string[] | undefined;
  customerRef: string | undefined;
}

/** What is done to a cart. */
export type CartAction =
  | { kind: 'read' | 'clear' }
  | { kind: 'remove'; variantId: string }
  | { kind: 'add' | 'set'; variantId: string; quantity: number };

/** Why an action changed nothing. */
export type CartRefusal = 'NoVariant' | 'NoLine' | 'Frozen' | 'TooManyUnits' | 'TooManyLines';

/** Lines of a quote; undefined where there is no such variant. */
export interface QuotedLine {
  variantId: string;
  quantity: number;
}

/** Reads and changes carts, each in one statement that also answers everything needed to price the cart. */
export class CartRepository {
  constructor(
    private readonly db: Queryable,
    private readonly idleMs: number,
  ) {}

  /** Reads or changes a customer's Open cart, made when there is none, and answers it as it is after that; or why nothing was changed. */
  async act(owner: CartOwner, action: CartAction): Promise<LoadedCart | CartRefusal> {
    const rows = await query<PricedRow>(this.db, CART_DO, [
      action.kind,
      owner.partnerId,
      owner.environment,
      owner.customerRef ?? null,
      owner.path ?? null,
      this.idleMs,
      'variantId' in action ? action.variantId : null,
      'quantity' in action ? action.quantity : null,
    ]);
    const outcome = rows[0]?.outcome;
    return outcome === 'Done' ? toCart(rows) : (outcome as CartRefusal);
  }

  /** The customer's Open cart, made when there is none. */
  async read(owner: CartOwner): Promise<LoadedCart> {
    return (await this.act(owner, { kind: 'read' })) as LoadedCart;
  }

  /** Lines that are in no cart, in the order asked for; those of unknown variants are left out. */
  async quote(owner: CartOwner, lines: readonly QuotedLine[]): Promise<ShopLines> {
    const ids = lines.map(({ variantId }) => variantId);
    const quantities = lines.map(({ quantity }) => quantity);
    return toShopLines(
      await query<PricedRow>(this.db, QUOTE_ROWS, [owner.partnerId, owner.path ?? null, ids, quantities]),
    );
  }

  /** Abandons carts that nobody changed for too long, at most so many; answers how many. */
  async abandonIdle(limit: number): Promise<number> {
    const result = await this.db.query({ ...ABANDON_IDLE, values: [this.idleMs, limit] });
    return result.rowCount ?? 0;
  }
}

function toCart(rows: readonly PricedRow[]): LoadedCart {
  const first = rows[0];
  if (!first || first.cart_id === null || first.cart_version === null) {
    throw new Error('the database answered no cart');
  }
  return {
    id: first.cart_id,
    version: first.cart_version,
    orderKey: first.cart_order_key ?? undefined,
    ...toShopLines(rows),
  };
}
