import type { MarketingFacts } from '../catalog/domain/marketing';
import type { TaxClassification } from '../pricing/domain/terms';
import type { CartLine, OpenCart, UnpricedLines } from './domain/cart-line';

/** The type priced_row of the database: a line, or a cart without one (variant_id is null then). */
export interface PricedRow {
  outcome: string;
  cart_id: string | null;
  cart_version: string | null;
  cart_order_key: string | null;
  priced_at: Date;
  partner_commission_rate: string | null;
  partner_is_vat_registered: boolean | null;
  partner_tax_registration_number: string | null;
  partner_display_currency: string | null;
  partner_marketing_enabled: boolean | null;
  variant_id: string | null;
  quantity: number;
  /** Null for a variant of a quote that is unknown; then nothing of it is known. */
  sku: string | null;
  size_ml: number;
  scent_name: string;
  warehouse_code: string;
  list_price: string;
  catalog_price: string;
  cost: string;
  rrp: string | null;
  tax_classification: TaxClassification;
  brand_commission_rate: string | null;
  is_active: boolean;
  available: number;
  first_offered_at: Date;
  lowered_from: string | null;
  lowered_at: Date | null;
  restocked_at: Date | null;
  is_best_seller: boolean | null;
  has_available_sample: boolean | null;
}

/** The type placed_row: one of several carts' rows, with its cart's place in the request, from 1. */
export interface PlacedRow extends PricedRow {
  place: number;
}

/** A cart of one row or more. */
export function toOpenCart(rows: readonly PricedRow[]): OpenCart {
  const [first] = rows;
  if (!first || first.cart_id === null || first.cart_version === null) {
    throw new Error('change_cart returned no cart');
  }
  return {
    id: first.cart_id,
    version: first.cart_version,
    orderKey: first.cart_order_key ?? undefined,
    ...toUnpricedLines(rows),
  };
}

/** Lines and partner of one row or more; a partner without a profile has no terms of its own. */
export function toUnpricedLines(rows: readonly PricedRow[]): UnpricedLines {
  const [first] = rows;
  if (!first) throw new Error('priced_lines returned no row');
  return {
    pricedAt: first.priced_at,
    partner: {
      commissionRate: first.partner_commission_rate,
      isVatRegistered: first.partner_is_vat_registered ?? false,
      taxRegistrationNumber: first.partner_tax_registration_number,
      displayCurrency: first.partner_display_currency ?? undefined,
      marketingEnabled: first.partner_marketing_enabled ?? false,
    },
    lines: rows.flatMap((row) => toCartLine(row) ?? []),
  };
}

function toCartLine(row: PricedRow): CartLine | undefined {
  if (row.variant_id === null || row.sku === null) return undefined;
  const available = row.is_active ? row.available : 0;
  return {
    variantId: row.variant_id,
    quantity: row.quantity,
    sku: row.sku,
    sizeMl: row.size_ml,
    scentName: row.scent_name,
    warehouseCode: row.warehouse_code,
    listPrice: row.list_price,
    cost: row.cost,
    rrp: row.rrp ?? undefined,
    taxClassification: row.tax_classification,
    brandCommissionRate: row.brand_commission_rate,
    isActive: row.is_active,
    available,
    marketing: row.partner_marketing_enabled ? toMarketingFacts(row, available) : undefined,
  };
}

function toMarketingFacts(row: PricedRow, available: number): MarketingFacts {
  return {
    catalogPrice: row.catalog_price,
    rrp: row.rrp ?? undefined,
    loweredFrom: row.lowered_from ?? undefined,
    loweredAt: row.lowered_at ?? undefined,
    available,
    restockedAt: row.restocked_at ?? undefined,
    firstOfferedAt: row.first_offered_at,
    isBestSeller: row.is_best_seller ?? false,
    hasAvailableSample: row.has_available_sample ?? false,
  };
}
