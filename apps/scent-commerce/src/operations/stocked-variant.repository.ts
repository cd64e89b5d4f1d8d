import type { PageInfo, PageRequest } from '@reseller/contracts';
import {
  isForeignKeyViolation,
  pageBounds,
  query,
  toPageInfo,
  type PreparedStatement,
  type Queryable,
} from '@reseller/database';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import type { AvailabilityName } from '../catalog/domain/availability';
import { folded } from '../catalog/folded.sql';
import { lowered, recordingPrices } from '../catalog/price-change.sql';
import type { TaxClass } from '../catalog/domain/variant';
import type { StockEnvironment } from '../stock/stock.repository';
import type { StockLevelRecord } from './domain/scarcer';

/** A variant as operators see it; amounts are SAR as decimal text. */
export interface StockedVariantRecord {
  id: string;
  scentId: string;
  scentName: string;
  brandId: string;
  brandName: string;
  warehouseCode: string;
  sku: string;
  sizeMl: number;
  listPrice: string;
  cost: string;
  rrp: string | null;
  taxClassification: TaxClass;
  isSample: boolean;
  isActive: boolean;
  firstOfferedAt: Date;
  /** Of each environment, live first. */
  stock: StockLevelRecord[];
}

/** Which variants an operator's list is to hold; absent ones do not narrow it. */
interface StockedFilter {
  brandId?: string | undefined;
  scentId?: string | undefined;
  /** In the environment in which less is available. */
  availability?: AvailabilityName | undefined;
  isActive?: boolean | undefined;
  /** A part of the sku, the scent's or the brand's name, in any letter case. */
  search?: string | undefined;
}

/** What an operator changes; absent fields stay, a null rrp is cleared. */
interface VariantChanges {
  listPrice?: string | undefined;
  cost?: string | undefined;
  rrp?: string | null | undefined;
  isActive?: boolean | undefined;
}

const COLUMNS = `f.id, f.scent_id AS "scentId", f.scent_name AS "scentName", f.brand_id AS "brandId",
  f.brand_name AS "brandName", f.warehouse_code AS "warehouseCode", f.sku, f.size_ml AS "sizeMl",
  f.catalog_price AS "listPrice", f.cost, f.rrp, f.tax_classification AS "taxClassification", f.is_sample AS "isSample",
  f.is_active AS "isActive", f.first_offered_at AS "firstOfferedAt",
  (SELECT json_agg(json_build_object('environment', t.environment, 'onHand', t.on_hand, 'reserved', t.reserved,
     'restockedAt', t.restocked_at) ORDER BY t.environment) FROM stock_levels t WHERE t.variant_id = f.id) AS stock`;

const WHERE = `FROM variants v JOIN scents s ON s.id = v.scent_id
  WHERE ($3::uuid IS NULL OR v.brand_id = $3) AND ($4::uuid IS NULL OR v.scent_id = $4)
    AND ($5::text IS NULL OR $5 = (SELECT t.availability FROM stock_levels t WHERE t.variant_id = v.id
      ORDER BY t.on_hand - t.reserved LIMIT 1)) AND ($6::boolean IS NULL OR v.is_active = $6)
    AND ($7::text IS NULL OR strpos(s.search_text, ${folded('$7')}) > 0 OR strpos(${folded('v.sku')}, ${folded('$7')}) > 0)`;

// Raw: Prisma knows no full case folding, by which a search compares.
const LIST: PreparedStatement = {
  name: 'list_stocked_variants',
  text: `WITH page AS MATERIALIZED (SELECT v.id, v.sku ${WHERE} ORDER BY v.sku, v.id LIMIT $1 OFFSET $2)
         SELECT n.total::int AS total, listed.* FROM (SELECT count(*) AS total ${WHERE}) n LEFT JOIN (
           SELECT offer.* FROM page CROSS JOIN LATERAL (
             SELECT ${COLUMNS} FROM stocked_variants f WHERE f.id = page.id AND f.environment = 'live' OFFSET 0) offer
         ) listed ON true ORDER BY listed.sku, listed.id`,
};

// Raw: in the transaction of the variant's stock and its events.
const CHANGE: PreparedStatement = {
  name: 'change_variant',
  text: recordingPrices(
    'SELECT id, list_price FROM variants WHERE id = $1 FOR NO KEY UPDATE',
    `UPDATE variants v SET list_price = coalesce($2::numeric, v.list_price), ${lowered('$2::numeric')},
      cost = coalesce($3, v.cost), rrp = CASE WHEN $4 THEN $5 ELSE v.rrp END, is_active = coalesce($6, v.is_active)
    FROM before WHERE v.id = before.id`,
  ),
};

/** Keeps variants as operators change them. */
export class StockedVariantRepository {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly db: Queryable,
  ) {}

  /** By sku, inactive ones too, with the exact total. */
  async list(
    filter: StockedFilter,
    page: PageRequest | undefined,
  ): Promise<{ variants: StockedVariantRecord[]; page: PageInfo }> {
    const { limit, offset } = pageBounds(page);
    const { brandId, scentId, availability, isActive, search } = filter;
    const rows = await query<Partial<StockedVariantRecord> & { total: number }>(this.db, LIST, [
      limit,
      offset,
      brandId ?? null,
      scentId ?? null,
      availability ?? null,
      isActive ?? null,
      search ?? null,
    ]);
    const variants = rows.filter(({ id }) => id !== undefined && id !== null) as unknown[];
    return { variants: variants as StockedVariantRecord[], page: toPageInfo(page, rows[0]?.total ?? 0) };
  }

  /** One by its id, or undefined. */
  async find(id: string): Promise<StockedVariantRecord | undefined> {
    const variant = await this.prisma.variant.findUnique({
      where: { id },
      include: WITH_STOCK,
    });
    return variant ? toRecord(variant) : undefined;
  }

  /** The prices of partners for one variant, by partner id. */
  async listPartnerPrices(variantId: string): Promise<{ partnerId: string; listPrice: string }[]> {
    const prices = await this.prisma.partnerPrice.findMany({
      where: { variantId },
      orderBy: { partnerId: 'asc' },
    });
    return prices.map(({ partnerId, listPrice }) => ({ partnerId, listPrice: listPrice.toFixed(2) }));
  }

  /** Changes what is given, in the caller's transaction; false for an unknown variant. */
  async change(tx: Queryable, id: string, changes: VariantChanges): Promise<boolean> {
    const { listPrice, cost, rrp, isActive } = changes;
    const values = [listPrice ?? null, cost ?? null, rrp !== undefined, rrp ?? null, isActive ?? null];
    return (await query(tx, CHANGE, [id, ...values])).length > 0;
  }

  /** Sets one partner's price; undefined for an unknown variant. */
  async setPartnerPrice(
    variantId: string,
    partnerId: string,
    listPrice: string,
  ): Promise<{ listPrice: string; updatedAt: Date } | undefined> {
    const updatedAt = new Date();
    try {
      const set = await this.prisma.partnerPrice.upsert({
        where: { variantId_partnerId: { variantId, partnerId } },
        create: { variantId, partnerId, listPrice, updatedAt },
        update: { listPrice, updatedAt },
      });
      return { listPrice: set.listPrice.toFixed(2), updatedAt };
    } catch (error) {
      if (isForeignKeyViolation(error, 'partner_prices_variant_id_fkey')) return undefined;
      throw error;
    }
  }
}

const WITH_STOCK = {
  scent: { include: { brand: true } },
  warehouse: true,
  stock: { orderBy: { environment: 'asc' } },
} as const;

type VariantRow = Prisma.VariantGetPayload<{ include: typeof WITH_STOCK }>;

function toRecord({ scent, warehouse, stock, ...variant }: VariantRow): StockedVariantRecord {
  return {
    id: variant.id,
    scentId: scent.id,
    scentName: scent.name,
    brandId: scent.brandId,
    brandName: scent.brand.name,
    warehouseCode: warehouse.code,
    sku: variant.sku,
    sizeMl: variant.sizeMl,
    listPrice: variant.listPrice.toFixed(2),
    cost: variant.cost.toFixed(2),
    rrp: variant.rrp?.toFixed(2) ?? null,
    taxClassification: variant.taxClassification as TaxClass,
    isSample: variant.isSample,
    isActive: variant.isActive,
    firstOfferedAt: variant.firstOfferedAt,
    stock: stock.map(({ environment, onHand, reserved, restockedAt }) => ({
      environment: environment as StockEnvironment,
      onHand,
      reserved,
      restockedAt,
    })),
  };
}
