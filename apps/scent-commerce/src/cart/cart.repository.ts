import { Batcher, query, type Patience, type PreparedStatement, type Queryable } from '@reseller/database';
import { TOGETHER } from '../together';
import type { CartOwner } from './cart-owner';
import type { OpenCart, UnpricedLines } from './domain/cart-line';
import { toOpenCart, toUnpricedLines, type PlacedRow, type PricedRow } from './priced-row.mapper';

// Raw: cart add + preview; carts that are read at the same time are read by one statement.
const READ_CARTS: PreparedStatement = {
  name: 'read_carts',
  text: 'SELECT * FROM read_carts($1, $2, $3, $4, $5)',
};
// Raw: cart add + preview; adds to different carts at the same time are one statement and one commit.
const ADD_TO_CARTS: PreparedStatement = {
  name: 'add_to_carts',
  text: 'SELECT * FROM add_to_carts($1, $2, $3, $4, $5, $6, $7)',
};
// Raw: cart add + preview; one statement changes a cart and reads all that pricing it needs.
const CHANGE_CART: PreparedStatement = {
  name: 'change_cart',
  text: 'SELECT * FROM change_cart($1, $2, $3, $4, $5, $6, $7, $8)',
};
// Raw: quoted lines are read by the statement that reads a cart's.
const QUOTE: PreparedStatement = {
  name: 'quote_lines',
  text: `SELECT * FROM priced_lines('Done', NULL, $1, $2, $3, $4, $5)`,
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

interface Add extends QuotedLine {
  owner: CartOwner;
}

/** Reads and changes carts, each in one statement that also reads everything needed to price the cart. */
export class CartRepository {
  private readonly reads: Batcher<CartOwner, OpenCart | undefined>;
  private readonly adds: Batcher<Add, OpenCart | undefined>;

  constructor(
    private readonly db: Queryable,
    private readonly idleMs: number,
  ) {
    this.reads = new Batcher({ ...TOGETHER, keyOf, run: (owners) => this.readTogether(owners) });
    this.adds = new Batcher({ ...TOGETHER, run: (adds) => this.addTogether(adds) });
  }

  /**
   * Reads or changes a customer's Open cart, made when there is none, and returns it as it is after that; or why nothing was
   * changed. What nobody waits for any more by its turn is not done.
   */
  async change(owner: CartOwner, change: CartChange, patience?: Patience): Promise<OpenCart | CartRefusal> {
    const done =
      change.kind === 'read'
        ? await this.reads.submit(owner, patience)
        : change.kind === 'add'
          ? await this.adds.submit({ owner, ...change }, patience)
          : undefined;
    return done ?? this.changeAlone(owner, change);
  }

  /** Carts as they are, undefined for those that a read would make, abandon or keep. */
  private async readTogether(owners: CartOwner[]): Promise<(OpenCart | undefined)[]> {
    const values = [...keysOf(owners), this.idleMs];
    return toCarts(owners.length, await query<PlacedRow>(this.db, READ_CARTS, values));
  }

  /** Carts after the units were added, undefined where something stood against it; only the first of several adds to a cart is tried. */
  private async addTogether(adds: Add[]): Promise<(OpenCart | undefined)[]> {
    const firsts = new Map<string, Add>();
    for (const add of adds) {
      const key = keyOf(add.owner);
      if (!firsts.has(key)) firsts.set(key, add);
    }
    const tried = [...firsts.values()];
    const values = [
      ...keysOf(tried.map(({ owner }) => owner)),
      tried.map(({ variantId }) => variantId),
      tried.map(({ quantity }) => quantity),
      this.idleMs,
    ];
    const carts = toCarts(tried.length, await query<PlacedRow>(this.db, ADD_TO_CARTS, values));
    const done = new Map(tried.map((add, index) => [add, carts[index]]));
    return adds.map((add) => done.get(add));
  }

  private async changeAlone(owner: CartOwner, change: CartChange): Promise<OpenCart | CartRefusal> {
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
  async read(owner: CartOwner, patience?: Patience): Promise<OpenCart> {
    return (await this.change(owner, { kind: 'read' }, patience)) as OpenCart;
  }

  /** Lines that are in no cart, in the order requested; those of unknown variants are left out. */
  async quote(owner: CartOwner, lines: readonly QuotedLine[]): Promise<UnpricedLines> {
    const ids = lines.map(({ variantId }) => variantId);
    const quantities = lines.map(({ quantity }) => quantity);
    const values = [owner.partnerId, owner.environment, owner.path ?? null, ids, quantities];
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

const keyOf = ({ partnerId, environment, customerRef }: CartOwner): string =>
  `${environment} ${partnerId} ${customerRef ?? ''}`;

/** Partners, environments, customers and paths, a list of each. */
function keysOf(owners: readonly CartOwner[]): unknown[][] {
  return [
    owners.map(({ partnerId }) => partnerId),
    owners.map(({ environment }) => environment),
    owners.map(({ customerRef }) => customerRef ?? null),
    owners.map(({ path }) => (path ? `{${path.join()}}` : null)),
  ];
}

/** The carts of so many places; one without a row is undefined. */
function toCarts(count: number, rows: readonly PlacedRow[]): (OpenCart | undefined)[] {
  const byPlace = new Map<number, PlacedRow[]>();
  for (const row of rows) {
    const others = byPlace.get(row.place);
    if (others) others.push(row);
    else byPlace.set(row.place, [row]);
  }
  return Array.from({ length: count }, (_, index) => {
    const own = byPlace.get(index + 1);
    return own && toOpenCart(own);
  });
}
