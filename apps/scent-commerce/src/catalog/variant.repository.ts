import { pageBounds, query, toPageInfo, type PreparedStatement, type Queryable } from '@reseller/database';
import type { PageInfo, PageRequest } from '@reseller/contracts';
import type { EnvironmentName } from '@reseller/rpc';
import type { PrismaClient } from '../generated/prisma/client';
import type { AvailabilityName } from './domain/availability';
import type { Buyer, OfferedVariant } from './domain/variant';
import { offerOf, type OfferRow } from './variant.sql';

/** Which variants a list is to hold; absent ones do not narrow it. */
interface VariantFilter {
  scentId?: string | undefined;
  brandId?: string | undefined;
  availability?: AvailabilityName | undefined;
  sku?: string | undefined;
}

/** The stock of a variant on offer. */
interface StockLevel {
  id: string;
  available: number;
}

/** Reads the variants on offer; inactive ones are not there. */
export class VariantRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly db: Queryable,
  ) {}

  /** By sku, with the exact total, in one statement. */
  async list(
    filter: VariantFilter,
    buyer: Buyer,
    page: PageRequest | undefined,
  ): Promise<{ variants: OfferedVariant[]; page: PageInfo }> {
    const { limit, offset } = pageBounds(page);
    const { statement, values } = listStatement(filter, buyer.showsMarketing);
    const rows = await query<Partial<OfferRow> & { total: number }>(this.db, statement, [
      limit,
      offset,
      buyer.path,
      buyer.environment,
      ...values,
    ]);
    const variants = rows.filter((row) => row.id !== undefined && row.id !== null);
    return {
      variants: variants.map((row) => toVariant(row as OfferRow)),
      page: toPageInfo(page, rows[0]?.total ?? 0),
    };
  }

  /** Those of the scents, by sku within each. */
  async listOfScents(scentIds: readonly string[], buyer: Buyer): Promise<OfferedVariant[]> {
    if (scentIds.length === 0) return [];
    const statement = buyer.showsMarketing ? OF_SCENTS.marketing : OF_SCENTS.plain;
    const rows = await query<OfferRow>(this.db, statement, [scentIds, buyer.path, buyer.environment]);
    return rows.map(toVariant);
  }

  /** One on offer, or undefined. */
  async find(id: string, buyer: Buyer): Promise<OfferedVariant | undefined> {
    const [row] = await query<OfferRow>(this.db, buyer.showsMarketing ? ONE.marketing : ONE.plain, [
      id,
      buyer.path,
      buyer.environment,
    ]);
    return row && toVariant(row);
  }

  /** The stock of one on offer in an environment, or undefined. */
  async findStock(id: string, environment: EnvironmentName): Promise<StockLevel | undefined> {
    const key = { variantId: id, environment };
    const stock = await this.prisma.stockLevel.findUnique({
      where: { variantId_environment: key, isActive: true },
    });
    return stock ? { id, available: stock.onHand - stock.reserved } : undefined;
  }
}

const OF_TWO = { path: '$2', environment: '$3' };

const ONE = byMarketing('find_offered_variant', (showsMarketing) => {
  const offer = offerOf('f.id = page.id AND f.is_active', OF_TWO, showsMarketing);
  return `SELECT offer.* FROM (SELECT $1::uuid AS id) page ${offer}`;
});

const OF_SCENTS = byMarketing('list_offered_variants_of_scents', (showsMarketing) => {
  const offer = offerOf('f.scent_id = page.id AND f.is_active', OF_TWO, showsMarketing);
  return `SELECT offer.* FROM unnest($1::uuid[]) page(id) ${offer} ORDER BY offer.sku, offer.id`;
});

function byMarketing(name: string, textOf: (showsMarketing: boolean) => string) {
  return {
    plain: { name, text: textOf(false) },
    marketing: { name: `${name}_marketing`, text: textOf(true) },
  };
}

const COLUMNS: Record<keyof VariantFilter, string> = {
  scentId: 'v.scent_id',
  brandId: 'v.brand_id',
  availability: 't.availability',
  sku: 'v.sku',
};

/** Raw: catalog lists. A statement for each combination of filters, so that each has the plan that suits it; $1 to $4 are limit, offset, path and environment. */
function listStatement(
  filter: VariantFilter,
  showsMarketing: boolean,
): { statement: PreparedStatement; values: unknown[] } {
  const given = (Object.keys(COLUMNS) as (keyof VariantFilter)[]).filter((key) => filter[key] !== undefined);
  const { rows, order, total } = sourceOf(given);
  const text = `
    WITH page AS MATERIALIZED (SELECT ${rows} ORDER BY ${order} LIMIT $1 OFFSET $2)
    SELECT n.total::int AS total, listed.* FROM (SELECT (${total}) AS total) n LEFT JOIN (
      SELECT page.sku AS at_sku, page.id AS at_id, offer.* FROM page ${offerOf('f.id = page.id', { path: '$3', environment: '$4' }, showsMarketing)}
    ) listed ON true
    ORDER BY listed.at_sku, listed.at_id`;
  const name = ['list_offered_variants', ...(showsMarketing ? ['marketing'] : []), ...given].join('_');
  return { statement: { name, text }, values: given.map((key) => filter[key]) };
}

function sourceOf(given: readonly (keyof VariantFilter)[]): { rows: string; order: string; total: string } {
  const conditions = given.map((key, index) => `AND ${COLUMNS[key]} = $${index + 5}`).join(' ');
  if (given.length === 0) {
    const rows = 'v.id, v.sku FROM variants v WHERE v.is_active';
    return { rows, order: 'v.sku, v.id', total: 'SELECT active_variants FROM catalog_sizes' };
  }
  const stock = given.includes('availability')
    ? 'JOIN stock_levels t ON t.variant_id = v.id AND t.environment = $4'
    : '';
  // The stock's own index knows sku and activity, so that a list of one class alone needs no variant to be counted.
  const from =
    given.length === 1 && stock !== ''
      ? `FROM stock_levels t WHERE t.is_active AND t.environment = $4 ${conditions}`
      : `FROM variants v ${stock} WHERE v.is_active ${stock && 'AND t.is_active'} ${conditions}`;
  const key = from.startsWith('FROM stock_levels')
    ? { id: 't.variant_id', sku: 't.sku' }
    : { id: 'v.id', sku: 'v.sku' };
  return {
    rows: `${key.id} AS id, ${key.sku} AS sku ${from}`,
    order: `${key.sku}, ${key.id}`,
    total: `SELECT count(*) ${from}`,
  };
}

function toVariant(row: OfferRow): OfferedVariant {
  const { id, scentId, sku, sizeMl, listPrice, taxClassification, isSample, available } = row;
  const rrp = row.rrp ?? undefined;
  return {
    id,
    scentId,
    sku,
    sizeMl,
    listPrice,
    rrp,
    taxClassification,
    isSample,
    available,
    marketing:
      row.catalogPrice !== undefined && row.firstOfferedAt
        ? {
            catalogPrice: row.catalogPrice,
            rrp,
            loweredFrom: row.loweredFrom ?? undefined,
            loweredAt: row.loweredAt ?? undefined,
            available,
            restockedAt: row.restockedAt ?? undefined,
            firstOfferedAt: row.firstOfferedAt,
            isBestSeller: row.isBestSeller ?? false,
            hasAvailableSample: row.hasAvailableSample ?? false,
          }
        : undefined,
  };
}
