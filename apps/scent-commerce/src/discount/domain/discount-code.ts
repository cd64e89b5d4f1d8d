import type { DiscountType, ProductScope } from '../../pricing/domain/terms';

/** What a partner decides about a code; decimals are texts with two places, dates are kept to the millisecond. */
export interface DiscountCodeTerms {
  discountType: DiscountType;
  value: string;
  /** The first moment it applies; null from ever. */
  validFrom: Date | null;
  /** The last moment it applies; null for ever. */
  validTo: Date | null;
  isActive: boolean;
  totalUsageCap: number | null;
  perCustomerCap: number | null;
  productScope: ProductScope;
  /** Empty for the scope All. */
  scopedVariantIds: string[];
  minOrderValue: string | null;
}

/** A stored code. */
export interface DiscountCodeRecord extends DiscountCodeTerms {
  id: string;
  partnerId: string;
  /** Upper case. */
  code: string;
  /** Redemptions of orders that stand. */
  usageCount: number;
  /** Slots of checkouts under way; they block others and are not counted as used. */
  pendingCount: number;
  createdAt: Date;
  lastModifiedAt: Date | null;
}

const CODE = /^[A-Za-z0-9_-]{3,40}$/;

/** A code as it is stored and looked up; undefined for a text that cannot be one (spec §6.9). */
export function storedForm(code: string): string | undefined {
  return CODE.test(code) ? code.toUpperCase() : undefined;
}
