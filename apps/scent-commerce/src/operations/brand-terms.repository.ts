import type { PageInfo, PageRequest } from '@reseller/contracts';
import { pageBounds, query, toPageInfo, type PreparedStatement, type Queryable } from '@reseller/database';

/** A brand with its own commission rate, a fraction; null where the default holds. */
export interface BrandTermsRecord {
  id: string;
  name: string;
  commissionRate: string | null;
}

const COLUMNS = `id, name, trim_scale(commission_rate) AS "commissionRate"`;

const LIST: PreparedStatement = {
  name: 'list_brand_terms',
  text: `SELECT n.total::int AS total, b.* FROM (SELECT count(*) AS total FROM brands) n
         LEFT JOIN (SELECT ${COLUMNS} FROM brands ORDER BY name, id LIMIT $1 OFFSET $2) b ON true
         ORDER BY b.name, b.id`,
};

const SET_RATE: PreparedStatement = {
  name: 'set_brand_rate',
  text: `UPDATE brands SET commission_rate = CASE WHEN $2 THEN $3 ELSE commission_rate END WHERE id = $1
         RETURNING ${COLUMNS}`,
};

/** Keeps what operators agree with brands. */
export class BrandTermsRepository {
  constructor(private readonly db: Queryable) {}

  /** By name, with the exact total. */
  async list(page: PageRequest | undefined): Promise<{ brands: BrandTermsRecord[]; page: PageInfo }> {
    const { limit, offset } = pageBounds(page);
    const rows = await query<BrandTermsRecord & { total: number }>(this.db, LIST, [limit, offset]);
    return {
      brands: rows.filter(({ id }) => id !== null),
      page: toPageInfo(page, rows[0]?.total ?? 0),
    };
  }

  /** Sets the rate, clears it with null, leaves it with undefined; undefined for an unknown brand. */
  async setRate(id: string, rate: string | null | undefined): Promise<BrandTermsRecord | undefined> {
    const [row] = await query<BrandTermsRecord>(this.db, SET_RATE, [id, rate !== undefined, rate ?? null]);
    return row;
  }
}
