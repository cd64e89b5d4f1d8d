import { decimal } from '@reseller/money';

// Types and not interfaces: both are written as JSON into the order's change.

/** A line as the checkout settled it; amounts are SAR decimals, without VAT unless said. */
export type RecordedLine = {
  readonly id: string;
  readonly position: number;
  readonly groupId: string;
  readonly variantId: string;
  readonly sku: string;
  readonly quantity: number;
  /** Goods for one unit, four decimals. */
  readonly unitAmount: string;
  readonly lineTotal: string;
  readonly goodsVat: string;
  readonly commission: string;
  readonly commissionVat: string;
  readonly pricingMode: 'Live' | 'Locked';
  /** The warehouse's code. */
  readonly source: string;
  readonly taxClassification: 'STANDARD' | 'ZERO';
  /** A fraction, four decimals. */
  readonly vatRate: string;
};

/** What a checkout made of a cart: what is written into the order, once. */
export type RecordedCheckout = {
  readonly cartId: string;
  readonly totalAmount: string;
  readonly totalGoodsVat: string;
  /** What the wallet is charged. */
  readonly totalAmountWithVat: string;
  readonly totalCommission: string;
  readonly totalCommissionVat: string;
  readonly discountCode: string | null;
  readonly discountAmount: string | null;
  readonly partnerIsVatRegistered: boolean;
  readonly partnerTaxRegistrationNumber: string | null;
  readonly platformTaxRegistrationNumber: string | null;
  /** One for each warehouse. */
  readonly groups: readonly { readonly id: string; readonly source: string }[];
  readonly lines: readonly RecordedLine[];
};

/** The most SAR that an order can be kept with, in its charge and in its discount. */
export const LARGEST_ORDER_AMOUNT = '999999999999.99';

/** Whether an order of the checkout can be kept; none of its other amounts is more than these two. */
export const canBeKept = ({ totalAmountWithVat, discountAmount }: RecordedCheckout): boolean =>
  [totalAmountWithVat, discountAmount ?? '0'].every((amount) =>
    decimal(amount).lessThanOrEqualTo(LARGEST_ORDER_AMOUNT),
  );
