import type { PageRequest } from '@reseller/contracts';
import { pageBounds, query, type PreparedStatement, type Queryable } from '@reseller/database';
import type { ShopScope } from '../shop-scope';
import type { DiscountCodeState } from './domain/assess-discount-code';
import { storedForm, type DiscountCodeRecord, type DiscountCodeTerms } from './domain/discount-code';

const COLUMNS = `c.id, c.partner_id AS "partnerId", c.code, c.discount_type AS "discountType", c.value,
  c.valid_from AS "validFrom", c.valid_to AS "validTo", c.is_active AS "isActive",
  c.total_usage_cap AS "totalUsageCap", c.per_customer_cap AS "perCustomerCap", c.product_scope AS "productScope",
  c.scoped_variant_ids AS "scopedVariantIds", c.min_order_value AS "minOrderValue", c.usage_count AS "usageCount",
  c.pending_count AS "pendingCount", c.created_at AS "createdAt", c.last_modified_at AS "lastModifiedAt"`;
const OWN = 'c.partner_id = $1 AND c.environment = $2';

const LIST: PreparedStatement = {
  name: 'discount_codes_list',
  text: `SELECT ${COLUMNS} FROM discount_codes c WHERE ${OWN} AND ($3::boolean IS NULL OR c.is_active = $3)
         ORDER BY c.created_at DESC, c.id DESC LIMIT $4 OFFSET $5`,
};
const COUNT: PreparedStatement = {
  name: 'discount_codes_count',
  text: `SELECT count(*)::int AS count FROM discount_codes c WHERE ${OWN} AND ($3::boolean IS NULL OR c.is_active = $3)`,
};
const FIND: PreparedStatement = {
  name: 'discount_codes_find',
  text: `SELECT ${COLUMNS} FROM discount_codes c WHERE ${OWN} AND c.id = $3`,
};
// One statement, so that uses and code belong together; the database's clock is the one every instance goes by.
const FIND_STATE: PreparedStatement = {
  name: 'discount_codes_find_state',
  text: `SELECT ${COLUMNS}, statement_timestamp() AS now,
           (SELECT count(*) FROM discount_redemptions d
            WHERE d.code_id = c.id AND d.customer_ref = $4 AND d.state <> 'GivenBack')::int AS "customerUses"
         FROM discount_codes c WHERE ${OWN} AND c.code = $3`,
};
const INSERT: PreparedStatement = {
  name: 'discount_codes_insert',
  text: `INSERT INTO discount_codes AS c (partner_id, environment, code, discount_type, value, valid_from, valid_to,
           is_active, total_usage_cap, per_customer_cap, product_scope, scoped_variant_ids, min_order_value)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING ${COLUMNS}`,
};
const UPDATE: PreparedStatement = {
  name: 'discount_codes_update',
  text: `UPDATE discount_codes AS c SET discount_type = $4, value = $5, valid_from = $6, valid_to = $7, is_active = $8,
           total_usage_cap = $9, per_customer_cap = $10, product_scope = $11, scoped_variant_ids = $12,
           min_order_value = $13, last_modified_at = clock_timestamp()
         WHERE ${OWN} AND c.id = $3 RETURNING ${COLUMNS}`,
};
const DELETE: PreparedStatement = {
  name: 'discount_codes_delete',
  text: `DELETE FROM discount_codes AS c WHERE ${OWN} AND c.id = $3 RETURNING ${COLUMNS}`,
};
const MISSING_VARIANTS: PreparedStatement = {
  name: 'discount_codes_missing_variants',
  text: `SELECT w.position::int - 1 AS index FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, position)
         WHERE NOT EXISTS (SELECT 1 FROM variants v WHERE v.id = w.id) ORDER BY w.position`,
};

/** Reads and writes discount codes of one partner and environment. */
export class DiscountCodeRepository {
  constructor(private readonly db: Queryable) {}

  /** A page of codes, newest first, and how many there are; undefined does not filter. */
  async list(
    scope: ShopScope,
    isActive: boolean | undefined,
    page: PageRequest | undefined,
  ): Promise<{ codes: DiscountCodeRecord[]; totalCount: number }> {
    const { limit, offset } = pageBounds(page);
    const filter = [...own(scope), isActive ?? null];
    const [codes, counted] = await Promise.all([
      query<DiscountCodeRecord>(this.db, LIST, [...filter, limit, offset]),
      query<{ count: number }>(this.db, COUNT, filter),
    ]);
    return { codes, totalCount: counted[0]?.count ?? 0 };
  }

  /** The code, or undefined when the scope has none with this id. */
  async find(scope: ShopScope, id: string): Promise<DiscountCodeRecord | undefined> {
    return first(query<DiscountCodeRecord>(this.db, FIND, [...own(scope), id]));
  }

  /** What is needed to assess a code as a customer typed it, or undefined when it is unknown; in a caller's transaction if given. */
  async findState(
    scope: ShopScope,
    code: string,
    customerRef: string | undefined,
    db: Queryable = this.db,
  ): Promise<DiscountCodeState | undefined> {
    const stored = storedForm(code);
    if (stored === undefined) return undefined;
    const row = await first(
      query<DiscountCodeRecord & { now: Date; customerUses: number }>(db, FIND_STATE, [
        ...own(scope),
        stored,
        customerRef ?? null,
      ]),
    );
    if (!row) return undefined;
    const { now, customerUses, ...record } = row;
    return { code: record, customerUses, now };
  }

  /** Stores a new code; a unique violation of discount_codes_one_text when its text is taken. */
  async insert(scope: ShopScope, code: string, terms: DiscountCodeTerms): Promise<DiscountCodeRecord> {
    const row = await first(
      query<DiscountCodeRecord>(this.db, INSERT, [...own(scope), code, ...toValues(terms)]),
    );
    if (!row) throw new Error('an inserted discount code was not answered');
    return row;
  }

  /** Replaces a code's terms and answers it, or undefined when the scope has none with this id. */
  async update(
    scope: ShopScope,
    id: string,
    terms: DiscountCodeTerms,
  ): Promise<DiscountCodeRecord | undefined> {
    return first(query<DiscountCodeRecord>(this.db, UPDATE, [...own(scope), id, ...toValues(terms)]));
  }

  /** Deletes a code and answers it as it was; a foreign key violation while any order has redeemed it or is about to. */
  async delete(scope: ShopScope, id: string): Promise<DiscountCodeRecord | undefined> {
    return first(query<DiscountCodeRecord>(this.db, DELETE, [...own(scope), id]));
  }

  /** Where in the list there is no such variant. Variants are never deleted, so what exists stays. */
  async findMissingVariants(variantIds: string[]): Promise<number[]> {
    const rows = await query<{ index: number }>(this.db, MISSING_VARIANTS, [variantIds]);
    return rows.map(({ index }) => index);
  }
}

const own = ({ partnerId, environment }: ShopScope): unknown[] => [partnerId, environment];

function toValues(terms: DiscountCodeTerms): unknown[] {
  return [
    terms.discountType,
    terms.value,
    terms.validFrom,
    terms.validTo,
    terms.isActive,
    terms.totalUsageCap,
    terms.perCustomerCap,
    terms.productScope,
    terms.scopedVariantIds,
    terms.minOrderValue,
  ];
}

async function first<Row>(rows: Promise<Row[]>): Promise<Row | undefined> {
  return (await rows)[0];
}
