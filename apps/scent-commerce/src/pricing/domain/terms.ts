import { Decimal, decimal, toFixedString } from '@reseller/money';

/** Scents are priced in this currency (spec §6.3). */
export const BASE_CURRENCY = 'SAR';

/** How a variant is taxed. */
export type TaxClassification = 'STANDARD' | 'ZERO';

/** How a discount code's value is meant: a percentage in (0,100], or an amount in SAR. */
export type DiscountType = 'Percent' | 'FixedAmount';

/** A discount's value as a text: of two decimals, or of the three or four that a Percent may have (spec §6.9). */
export const discountValueText = (value: string | Decimal): string =>
  toFixedString(value, Math.max(2, decimal(value).decimalPlaces()));

/** Which lines a discount code counts for. */
export type ProductScope = 'All' | 'VariantList';

/** What of a discount code decides about prices; decimals are texts. */
export interface DiscountTerms {
  code: string;
  discountType: DiscountType;
  value: string;
  productScope: ProductScope;
  /** Empty for the scope All. */
  scopedVariantIds: readonly string[];
  /** Compared with the eligible goods before the discount; null for none. */
  minOrderValue: string | null;
}

/** The commission rates that may hold for a line, as fractions: the partner's, else the brand's, else the default. */
export interface CommissionRates {
  partnerRate: string | null;
  defaultRate: string;
}

const VAT_RATES: Record<TaxClassification, Decimal> = {
  STANDARD: new Decimal('0.15'),
  ZERO: new Decimal(0),
};

/** The VAT rate of a classification as a fraction. */
export function vatRateOf(classification: TaxClassification): Decimal {
  return VAT_RATES[classification];
}

/** The VAT rate of commission, which is paid to partners that are registered for VAT (spec §6.3). */
export function commissionVatRateOf(partnerIsVatRegistered: boolean): Decimal {
  return partnerIsVatRegistered ? VAT_RATES.STANDARD : VAT_RATES.ZERO;
}
