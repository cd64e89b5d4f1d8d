import { Checkout } from '@reseller/contracts';
import {
  LockBatcher,
  query,
  type LockWait,
  type Patience,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import { currentHeaders } from '@reseller/telemetry';
import type { DiscountRefusal } from '../discount/domain/assess-discount-code';
import type { Owner } from '../owner';
import { TOGETHER } from '../together';

// Raw: checkout of a 5-line cart; a key is looked up by one prepared statement.
const FIND: PreparedStatement = {
  name: 'find_checkout',
  text: `SELECT partner_id AS "partnerId", environment, state, response FROM checkouts WHERE order_key = $1`,
};
// Whoever takes the keys ($1) from here has the time set before it meets a lock.
const patience = (wait: LockWait): string => `WITH patience AS MATERIALIZED (
      SELECT $1::text[] AS keys${wait === 'briefly' ? `, set_config('lock_timeout', '200ms', true)` : ''}
    )`;
// Raw: checkout of a 5-line cart; orders that begin at the same time are one statement and one commit.
const beginOf = (wait: LockWait): PreparedStatement => ({
  name: `begin_checkouts_${wait}`,
  text: `${patience(wait)}
    SELECT place, outcome, short FROM patience, begin_checkouts(keys, $2, $3, $4, $5, $6, $7, $8, $9)`,
});
// Raw: checkout of a 5-line cart; orders that are done at the same time are one statement and one commit.
const commitOf = (wait: LockWait): PreparedStatement => ({
  name: `commit_checkouts_${wait}`,
  text: `${patience(wait)} SELECT commit_checkouts(keys, $2, $3) AS place FROM patience`,
});
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
type CheckoutStanding = Omit<CheckoutRecord, 'checkout'>;

/**
 * Whether a checkout began; Known: the key is taken; Short: by these variants; Gone: the cart is no longer Open; Frozen: by
 * another order; Changed: since it was priced; else why a cap of the code refuses it.
 */
export type BeginResult =
  | { outcome: 'Begun' | 'Known' | 'Gone' | 'Frozen' | 'Changed' | DiscountRefusal }
  | { outcome: 'Short'; short: string[] };

/** What is to be held, the cart's version that was priced, and the code of which a slot is taken. */
interface CheckoutDraft {
  checkout: Checkout;
  cartVersion: string;
  codeId?: string | undefined;
}

/** Units of one variant; each variant at most once in a list. */
export interface StockLine {
  variantId: string;
  quantity: number;
}

interface OwnDraft {
  owner: Owner;
  draft: CheckoutDraft;
}

interface OwnKey extends Owner {
  orderKey: string;
}

/** Keeps checkouts, each a hold on a cart and its stock. */
export class CheckoutRepository {
  private readonly begins: LockBatcher<OwnDraft, BeginResult>;
  private readonly commits: LockBatcher<OwnKey, boolean>;

  constructor(private readonly db: Queryable) {
    this.begins = new LockBatcher({
      ...TOGETHER,
      run: (drafts, wait) => this.beginTogether(drafts, wait),
    });
    this.commits = new LockBatcher({
      ...TOGETHER,
      run: (keys, wait) => this.commitTogether(keys, wait),
    });
  }

  /** The checkout of a key, whoever's it is. */
  async find(orderKey: string): Promise<CheckoutRecord | undefined> {
    return toRecord(await query<CheckoutRow>(this.db, FIND, [orderKey]));
  }

  /**
   * Records a checkout and holds its cart, its code's slot and its stock for it; anything but Begun has changed nothing. What
   * nobody waits for any more by its turn is not begun.
   */
  begin(owner: Owner, draft: CheckoutDraft, patience?: Patience): Promise<BeginResult> {
    return this.begins.submit({ owner, draft }, patience);
  }

  /** Uses up what the owner's checkout that is Begun holds; false when there is none, and nothing has changed. */
  commit({ partnerId, environment }: Owner, orderKey: string, patience?: Patience): Promise<boolean> {
    return this.commits.submit({ partnerId, environment, orderKey }, patience);
  }

  /** Begins what does not stand in the way of another that began with it; the rest is begun alone. */
  private async beginTogether(
    drafts: OwnDraft[],
    wait: LockWait,
  ): Promise<(BeginResult | Promise<BeginResult>)[]> {
    const tried = firstOfEach(drafts);
    const rows = await query<BeginResult & { place: number }>(this.db, beginOf(wait), [
      tried.map(({ draft }) => draft.checkout.orderKey),
      tried.map(({ owner }) => owner.partnerId),
      tried.map(({ owner }) => owner.environment),
      tried.map(({ draft }) => draft.checkout.cartId),
      tried.map(({ draft }) => draft.cartVersion),
      tried.map(({ draft }) => draft.checkout.lockId ?? null),
      tried.map(({ draft }) => Buffer.from(Checkout.encode(draft.checkout).finish())),
      tried.map(({ draft }) => draft.codeId ?? null),
      tried.map(({ draft }) => draft.checkout.customerRef ?? null),
    ]);
    const results = new Map(rows.map(({ place, ...result }) => [tried[place - 1], result]));
    if (drafts.length === 1 && results.size === 0) throw new Error('begin_checkouts returned nothing');
    return drafts.map((draft) => results.get(draft) ?? this.beginAlone(draft));
  }

  private async beginAlone(draft: OwnDraft): Promise<BeginResult> {
    const [result] = await this.beginTogether([draft], 'patiently');
    return result!;
  }

  private async commitTogether(keys: OwnKey[], wait: LockWait): Promise<boolean[]> {
    const rows = await query<{ place: number }>(this.db, commitOf(wait), [
      keys.map(({ orderKey }) => orderKey),
      keys.map(({ partnerId }) => partnerId),
      keys.map(({ environment }) => environment),
    ]);
    const done = new Set(rows.map(({ place }) => place));
    return keys.map((_, index) => done.has(index + 1));
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

/** The first of those that need the same cart, the same code or the same key: what they leave decides the next. */
function firstOfEach(drafts: readonly OwnDraft[]): OwnDraft[] {
  const taken = new Set<string>();
  return drafts.filter(({ draft: { checkout, codeId } }) => {
    const needed = [checkout.orderKey, checkout.cartId, ...(codeId ? [codeId] : [])];
    if (needed.some((id) => taken.has(id))) return false;
    for (const id of needed) taken.add(id);
    return true;
  });
}

interface CheckoutRow extends Omit<CheckoutRecord, 'checkout'> {
  response: Buffer | null;
}

function toRecord([row]: CheckoutRow[]): CheckoutRecord | undefined {
  if (!row) return undefined;
  const { response, ...record } = row;
  return { ...record, checkout: response ? Checkout.decode(response) : undefined };
}
