import type { DisplayRate } from '@reseller/contracts';
import type { MarketingFacts } from '../../catalog/domain/marketing';
import type { NewPriceLock } from '../../price-lock/domain/locked-pricing';
import type { LineToPrice, PricedCart } from '../../pricing/domain/price-cart';

/** What is known of a partner that decides about its prices; decimals are texts. */
export interface PricingPartner {
  /** A fraction; null where the brand's rate or the default holds. */
  commissionRate: string | null;
  isVatRegistered: boolean;
  taxRegistrationNumber: string | null;
  displayCurrency: string | undefined;
  marketingEnabled: boolean;
}

/** A line with all that is known of its variant at one moment. */
export interface CartLine extends LineToPrice {
  sku: string;
  sizeMl: number;
  scentName: string;
  warehouseCode: string;
  cost: string;
  rrp: string | undefined;
  isActive: boolean;
  /** On hand less reserved; 0 for an inactive variant (spec §5.1). */
  available: number;
  /** Read only for a partner with the marketing feature. */
  marketing: MarketingFacts | undefined;
}

/** Lines and partner as one statement saw them, not yet priced. */
export interface UnpricedLines {
  /** The moment, on the database's clock. */
  pricedAt: Date;
  partner: PricingPartner;
  lines: CartLine[];
}

/** An Open cart as it was read. */
export interface OpenCart extends UnpricedLines {
  id: string;
  /** Counts the changes of its lines. */
  version: string;
  /** The order that holds it. */
  orderKey: string | undefined;
}

/** Lines with their prices and the rate they are displayed at. */
export interface Priced<Lines extends UnpricedLines> {
  lines: Lines;
  priced: PricedCart;
  displayRate: DisplayRate | undefined;
}

/** A cart as it would be ordered; the lock is there when one was requested. */
export interface CheckoutPreview extends Priced<OpenCart> {
  lock: NewPriceLock | undefined;
}
