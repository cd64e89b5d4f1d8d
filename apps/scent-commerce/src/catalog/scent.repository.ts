import type { PageInfo, PageRequest } from '@reseller/contracts';
import { pageBounds, query, toPageInfo, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PrismaClient } from '../generated/prisma/client';
import { folded } from './folded.sql';
import type { BrandRecord, GenderName, ScentRecord } from './domain/variant';

/** Which scents a list is to hold; absent ones do not narrow it. */
export interface ScentFilter {
  brandId?: string | undefined;
  /** A part of the scent's or the brand's name, in any letter case. */
  search?: string | undefined;
}

const SCENT = `s.id, s.brand_id AS "brandId", s.brand_name AS "brandName", s.name, s.description, s.notes, s.gender, s.concentration`;

/** Holds no name, so a search for it finds nothing; see the check on names. */
const CONTROL = /\p{Cc}/u;

/** Reads scents and brands. */
export class ScentRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly db: Queryable,
  ) {}

  /** By name, with the exact total, in one statement. */
  async list(
    filter: ScentFilter,
    page: PageRequest | undefined,
  ): Promise<{ scents: ScentRecord[]; page: PageInfo }> {
    const { brandId, search } = filter;
    if (search !== undefined && CONTROL.test(search)) return { scents: [], page: toPageInfo(page, 0) };
    const { limit, offset } = pageBounds(page);
    const rows = await query<ListedRow<ScentRecord>>(
      this.db,
      listStatement(brandId !== undefined, search !== undefined),
      [limit, offset, ...(brandId === undefined ? [] : [brandId]), ...(search === undefined ? [] : [search])],
    );
    return { scents: records(rows), page: toPageInfo(page, rows[0]?.total ?? 0) };
  }

  /** One by its id, or undefined. */
  async find(id: string): Promise<ScentRecord | undefined> {
    const scent = await this.prisma.scent.findUnique({ where: { id } });
    if (!scent) return undefined;
    const { brandId, brandName, name, description, notes, gender, concentration } = scent;
    return { id, brandId, brandName, name, description, notes, gender: gender as GenderName, concentration };
  }

  /** By name, with the exact total. */
  async listBrands(page: PageRequest | undefined): Promise<{ brands: BrandRecord[]; page: PageInfo }> {
    const { limit: take, offset: skip } = pageBounds(page);
    const [brands, total] = await Promise.all([
      this.prisma.brand.findMany({
        select: { id: true, name: true },
        orderBy: [{ name: 'asc' }, { id: 'asc' }],
        take,
        skip,
      }),
      this.prisma.brand.count(),
    ]);
    return { brands, page: toPageInfo(page, total) };
  }

  /** One by its id, or undefined. */
  async findBrand(id: string): Promise<BrandRecord | undefined> {
    const brand = await this.prisma.brand.findUnique({ where: { id }, select: { id: true, name: true } });
    return brand ?? undefined;
  }
}

/** A row of a list; where none matches, the one row holds the total alone. */
type ListedRow<T> = (T & { total: number }) | { id: null; total: number };

function records<T extends { id: string }>(rows: ListedRow<T>[]): Omit<T & { total: number }, 'total'>[] {
  return rows
    .filter((row): row is T & { total: number } => row.id !== null)
    .map(({ total: _, ...record }) => record);
}

/**
 * Raw: catalog lists. $1 and $2 are limit and offset. The scents that match are gathered once, for the page and the total alike; the pattern is
 * a subquery so that it is folded once and not for each scent. A backslash, % or _ of a search stands for itself.
 */
function listStatement(byBrand: boolean, bySearch: boolean): PreparedStatement {
  const pattern = `regexp_replace(${folded(`$${byBrand ? 4 : 3}`)}, '([\\\\%_])', '\\\\\\1', 'g')`;
  const where = [
    ...(byBrand ? ['s.brand_id = $3'] : []),
    ...(bySearch ? [`s.search_text LIKE (SELECT '%' || ${pattern} || '%')`] : []),
  ].join(' AND ');
  const from = `FROM scents s ${where && `WHERE ${where}`}`;
  const [gathered, source] = bySearch
    ? [`hit AS MATERIALIZED (SELECT s.id, s.name ${from}),`, 'FROM hit s']
    : ['', from];
  const name = `list_scents${byBrand ? '_of_brand' : ''}${bySearch ? '_by_search' : ''}`;
  const text = `
    WITH ${gathered} page AS MATERIALIZED (SELECT s.id ${source} ORDER BY s.name, s.id LIMIT $1 OFFSET $2)
    SELECT n.total::int AS total, listed.* FROM (SELECT count(*) AS total ${source}) n LEFT JOIN (
      SELECT ${SCENT} FROM page JOIN scents s USING (id)
    ) listed ON true
    ORDER BY listed.name, listed.id`;
  return { name, text };
}
