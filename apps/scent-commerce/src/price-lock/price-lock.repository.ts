import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PartnerScope } from '../partner-scope';
import type { LockedPricing, PriceLock } from './domain/locked-pricing';

// The cart is kept as by a change of it: idle days that ran out now would end the lock before its time.
const INSERT: PreparedStatement = {
  name: 'insert_price_lock',
  text: `WITH kept AS (UPDATE carts SET touched_at = clock_timestamp() WHERE id = $3)
         INSERT INTO price_locks (partner_id, environment, cart_id, cart_version, pricing, discount_code_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond')
         RETURNING id, expires_at AS "expiresAt"`,
};
const FIND: PreparedStatement = {
  name: 'find_price_lock',
  text: `SELECT cart_id AS "cartId", cart_version AS "cartVersion", pricing, discount_code_id AS "discountCodeId",
           spent_by IS NOT NULL AS "isSpent", expires_at <= statement_timestamp() AS "isExpired"
         FROM price_locks WHERE id = $1 AND partner_id = $2 AND environment = $3`,
};
const DELETE_OLD: PreparedStatement = {
  name: 'delete_old_price_locks',
  text: `DELETE FROM price_locks WHERE id IN (
           SELECT id FROM price_locks WHERE expires_at < clock_timestamp() - $1 * interval '1 millisecond'
           ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED)`,
};

/** What a new lock holds. */
export interface PriceLockDraft {
  cartId: string;
  /** The cart's version that was priced: the lock is good for no other. */
  cartVersion: string;
  pricing: LockedPricing;
  discountCodeId: string | undefined;
}

/** Keeps price locks of one partner and environment; times are the database's. */
export class PriceLockRepository {
  constructor(
    private readonly db: Queryable,
    private readonly ttlMs: number,
  ) {}

  /** Stores a new lock; it holds from now on for the lifetime set. */
  async insert(scope: PartnerScope, draft: PriceLockDraft): Promise<{ id: string; expiresAt: Date }> {
    const [row] = await query<{ id: string; expiresAt: Date }>(this.db, INSERT, [
      scope.partnerId,
      scope.environment,
      draft.cartId,
      draft.cartVersion,
      JSON.stringify(draft.pricing),
      draft.discountCodeId ?? null,
      this.ttlMs,
    ]);
    if (!row) throw new Error('an inserted price lock was not answered');
    return row;
  }

  /** The lock, or undefined when the scope has none with this id. */
  async find({ partnerId, environment }: PartnerScope, id: string): Promise<PriceLock | undefined> {
    const [row] = await query<PriceLock>(this.db, FIND, [id, partnerId, environment]);
    return row;
  }

  /** Deletes locks that expired so many milliseconds ago, at most so many; answers how many. */
  async deleteOld(keptMs: number, limit: number): Promise<number> {
    const result = await this.db.query({ ...DELETE_OLD, values: [keptMs, limit] });
    return result.rowCount ?? 0;
  }
}
