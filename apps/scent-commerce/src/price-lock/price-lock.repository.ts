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

// Raw: by the database's clock, in the statement that finds the lock good for its cart as it is.
const EXPIRE: PreparedStatement = {
  name: 'expire_price_lock',
  text: `UPDATE price_locks l SET expires_at = least(l.expires_at, clock_timestamp()) FROM carts c
         WHERE l.id = $3 AND l.partner_id = $1 AND l.environment = $2 AND l.spent_by IS NULL
           AND c.id = l.cart_id AND c.version = l.cart_version AND c.status = 'Open'
         RETURNING l.id, l.expires_at AS "expiresAt"`,
};

/** What a new lock holds. */
interface PriceLockDraft {
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

  /** Ends the owner's lock now, unless it has ended; undefined when it is spent, stale or not there. */
  async expire({ partnerId, environment }: Owner, id: string): Promise<NewPriceLock | undefined> {
    return (await query<NewPriceLock>(this.db, EXPIRE, [partnerId, environment, id]))[0];
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
