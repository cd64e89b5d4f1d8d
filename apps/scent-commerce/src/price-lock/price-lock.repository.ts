import { query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PrismaClient } from '../generated/prisma/client';
import type { Owner } from '../owner';
import type { LockedPricing, NewPriceLock, PriceLock } from './domain/locked-pricing';

// Raw: checkout preview; the lock, its time on the database's clock and the cart's in one statement. The cart is kept as by a
// change of it: idle days that ran out now would end the lock before its time.
const INSERT: PreparedStatement = {
  name: 'insert_price_lock',
  text: `WITH kept AS (UPDATE carts SET touched_at = clock_timestamp() WHERE id = $3)
         INSERT INTO price_locks (partner_id, environment, cart_id, cart_version, pricing, discount_code_id, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond')
         RETURNING id, expires_at AS "expiresAt"`,
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
    private readonly prisma: PrismaClient,
    private readonly db: Queryable,
    private readonly ttlMs: number,
  ) {}

  /** Stores a new lock; it holds from now on for the lifetime set. */
  async insert(owner: Owner, draft: PriceLockDraft): Promise<NewPriceLock> {
    const [row] = await query<NewPriceLock>(this.db, INSERT, [
      owner.partnerId,
      owner.environment,
      draft.cartId,
      draft.cartVersion,
      JSON.stringify(draft.pricing),
      draft.discountCodeId ?? null,
      this.ttlMs,
    ]);
    if (!row) throw new Error('an inserted price lock was not returned');
    return row;
  }

  /** The lock, or undefined when the owner has none with this id. */
  async find({ partnerId, environment }: Owner, id: string): Promise<PriceLock | undefined> {
    const row = await this.prisma.priceLock.findUnique({ where: { id, partnerId, environment } });
    if (!row) return undefined;
    return {
      id,
      cartId: row.cartId,
      cartVersion: String(row.cartVersion),
      pricing: row.pricing as unknown as LockedPricing,
      discountCodeId: row.discountCodeId ?? undefined,
      isSpent: row.spentBy !== null,
      expiresAt: row.expiresAt,
    };
  }
}
