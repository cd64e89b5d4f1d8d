import { decimal, Decimal } from '@reseller/money';
import { discountValueText, type DiscountType, type ProductScope } from '../../pricing/domain/terms';

/** What a partner decides about a code; decimals are texts with two places, a Percent's value with up to four, dates are kept to the millisecond. */
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

/** A code's value as it is stored: two decimals, and a finer Percent beside them in full. */
export interface StoredValue {
  value: string;
  finerValue: string | null;
}

/** How a value is stored. */
export function toStoredValue(value: string): StoredValue {
  const text = discountValueText(value);
  const rounded = roundedUp(text);
  return { value: rounded, finerValue: decimal(text).equals(rounded) ? null : text };
}

/** The value that is stored; of a finer one that no longer is what `value` was rounded from, `value`. */
export const fromStoredValue = ({ value, finerValue }: StoredValue): string =>
  discountValueText(finerValue !== null && decimal(roundedUp(finerValue)).equals(value) ? finerValue : value);

// Up, for the smallest is more than nothing.
const roundedUp = (value: string): string => decimal(value).toDecimalPlaces(2, Decimal.ROUND_UP).toFixed(2);

const CODE = /^[A-Za-z0-9_-]{3,40}$/;

/** A code as it is stored and looked up; undefined for a text that cannot be one (spec §6.9). */
export function storedForm(code: string): string | undefined {
  return CODE.test(code) ? code.toUpperCase() : undefined;
}
