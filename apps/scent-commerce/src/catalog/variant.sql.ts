// Raw: catalog lists. What a price list reads of each variant: one row of stocked_variants, the caller's price, and what marketing needs only
// for a caller with the marketing feature. Each reads the variants of `page(id)` in the order in which they come.

const OFFER = `f.id, f.scent_id AS "scentId", f.sku, f.size_ml AS "sizeMl", p.list_price AS "listPrice", f.rrp,
  f.tax_classification AS "taxClassification", f.is_sample AS "isSample", f.available`;

const MARKETING = `f.catalog_price AS "catalogPrice", f.lowered_from AS "loweredFrom", f.lowered_at AS "loweredAt",
  f.restocked_at AS "restockedAt", f.first_offered_at AS "firstOfferedAt", f.is_best_seller AS "isBestSeller",
  f.has_available_sample AS "hasAvailableSample"`;

/** One row of the statement below; marketing's columns are there only for a caller with the marketing feature. */
export interface OfferRow {
  id: string;
  scentId: string;
  sku: string;
  sizeMl: number;
  listPrice: string;
  rrp: string | null;
  taxClassification: 'STANDARD' | 'ZERO';
  isSample: boolean;
  available: number;
  catalogPrice?: string;
  loweredFrom?: string | null;
  loweredAt?: Date | null;
  restockedAt?: Date | null;
  firstOfferedAt?: Date;
  isBestSeller?: boolean;
  hasAvailableSample?: boolean;
}

/**
 * A lateral source "offer" of the variants that `condition` picks of the view f, for the buyer whose path and environment are
 * the named parameters. OFFSET 0 keeps the planner at looking up one after the other, however few rows it believes there are.
 */
export function offerOf(
  condition: string,
  { path, environment }: { path: string; environment: string },
  showsMarketing: boolean,
): string {
  return `CROSS JOIN LATERAL (
    SELECT ${showsMarketing ? `${OFFER}, ${MARKETING}` : OFFER}
    FROM stocked_variants f CROSS JOIN LATERAL caller_price(f.id, f.catalog_price, ${path}::uuid[]) p
    WHERE ${condition} AND f.environment = ${environment} OFFSET 0) offer`;
}
