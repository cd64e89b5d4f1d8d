import type { MarketingFacts } from '../../catalog/domain/marketing';
import type { LineToPrice } from '../../pricing/domain/price-cart';

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
export interface ShopLine extends LineToPrice {
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

/** Lines and partner as one statement saw them. */
export interface ShopLines {
  pricedAt: Date;
  partner: PricingPartner;
  lines: ShopLine[];
}

/** An Open cart as it was read. */
export interface LoadedCart extends ShopLines {
  id: string;
  /** Counts the changes of its lines. */
  version: string;
  /** The order that holds it. */
  orderKey: string | undefined;
}
