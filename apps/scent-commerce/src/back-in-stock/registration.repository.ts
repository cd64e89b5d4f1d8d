import type { PageRequest } from '@reseller/contracts';
import { pageBounds, query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { ShopScope } from '../shop-scope';

/** A stored registration. */
export interface RegistrationRecord {
  id: string;
  variantId: string;
  sku: string;
  customerRef: string | null;
  status: 'Active' | 'Notified' | 'Cancelled';
  createdAt: Date;
  notifiedAt: Date | null;
}

const COLUMNS = `r.id, r.variant_id AS "variantId", (SELECT v.sku FROM variants v WHERE v.id = r.variant_id) AS sku,
  r.customer_ref AS "customerRef", r.status, r.created_at AS "createdAt", r.notified_at AS "notifiedAt"`;
const OWN = 'r.partner_id = $1 AND r.environment = $2';

// The share lock makes a registration and a rise of the stock wait for each other: without it one that commits while the rise is
// under way would be told of neither this rise nor a later one. It blocks no other registration.
const REGISTER: PreparedStatement = {
  name: 'back_in_stock_register',
  text: `WITH stock AS (SELECT t.variant_id FROM variant_stock t WHERE t.variant_id = $3 AND t.is_active FOR SHARE)
         INSERT INTO back_in_stock_registrations AS r (partner_id, environment, variant_id, customer_ref)
         SELECT $1, $2, stock.variant_id, $4 FROM stock
         ON CONFLICT (variant_id, partner_id, environment, customer_ref) WHERE status = 'Active'
         DO UPDATE SET status = r.status RETURNING ${COLUMNS}`,
};
const LIST: PreparedStatement = {
  name: 'back_in_stock_list',
  text: `SELECT ${COLUMNS} FROM back_in_stock_registrations r WHERE ${OWN}
         ORDER BY r.created_at DESC, r.id DESC LIMIT $3 OFFSET $4`,
};
const COUNT: PreparedStatement = {
  name: 'back_in_stock_count',
  text: `SELECT count(*)::int AS count FROM back_in_stock_registrations r WHERE ${OWN}`,
};
const CANCEL: PreparedStatement = {
  name: 'back_in_stock_cancel',
  text: `UPDATE back_in_stock_registrations AS r SET status = 'Cancelled'
         WHERE ${OWN} AND r.id = $3 AND r.status = 'Active' RETURNING ${COLUMNS}`,
};
const FIND: PreparedStatement = {
  name: 'back_in_stock_find',
  text: `SELECT ${COLUMNS} FROM back_in_stock_registrations r WHERE ${OWN} AND r.id = $3`,
};

/** Keeps the back-in-stock registrations of one partner and environment; becoming Notified is the database's own doing. */
export class RegistrationRepository {
  constructor(private readonly db: Queryable) {}

  /** The Active registration of a variant and customer, made if there is none; undefined for an unknown or inactive variant. */
  async register(
    scope: ShopScope,
    { variantId, customerRef }: { variantId: string; customerRef: string | undefined },
  ): Promise<RegistrationRecord | undefined> {
    const values = [scope.partnerId, scope.environment, variantId, customerRef ?? null];
    return (await query<RegistrationRecord>(this.db, REGISTER, values))[0];
  }

  /** A page of registrations of every status, newest first, and how many there are. */
  async list(
    { partnerId, environment }: ShopScope,
    page: PageRequest | undefined,
  ): Promise<{ registrations: RegistrationRecord[]; totalCount: number }> {
    const { limit, offset } = pageBounds(page);
    const [registrations, counted] = await Promise.all([
      query<RegistrationRecord>(this.db, LIST, [partnerId, environment, limit, offset]),
      query<{ count: number }>(this.db, COUNT, [partnerId, environment]),
    ]);
    return { registrations, totalCount: counted[0]?.count ?? 0 };
  }

  /** Cancels an Active registration; one that is no longer Active is answered as it is, an unknown one as undefined. */
  async cancel({ partnerId, environment }: ShopScope, id: string): Promise<RegistrationRecord | undefined> {
    const values = [partnerId, environment, id];
    const [cancelled] = await query<RegistrationRecord>(this.db, CANCEL, values);
    // A statement of its own, so that what ended it meanwhile is seen.
    return cancelled ?? (await query<RegistrationRecord>(this.db, FIND, values))[0];
  }
}
