import type { EnvironmentName } from '@reseller/rpc';
import type { MarketingFacts } from './marketing';

/** Which VAT rate a variant's goods bear. */
export type TaxClass = 'STANDARD' | 'ZERO';

/** Whom a scent is made for. */
export type GenderName = 'Women' | 'Men' | 'Unisex';

/** A variant on offer, priced for one caller; amounts are SAR before VAT as decimal text. */
export interface OfferedVariant {
  id: string;
  scentId: string;
  sku: string;
  sizeMl: number;
  /** The caller's price (spec §5.3). */
  listPrice: string;
  rrp: string | undefined;
  taxClassification: TaxClass;
  isSample: boolean;
  /** On hand less reserved. */
  available: number;
  /** Only read for a caller with the marketing feature. */
  marketing: MarketingFacts | undefined;
}

/** A scent without its variants. */
export interface ScentRecord {
  id: string;
  brandId: string;
  brandName: string;
  name: string;
  description: string;
  notes: string[];
  gender: GenderName;
  concentration: string;
}

/** A brand as partners see it. */
export interface BrandRecord {
  id: string;
  name: string;
}

/** For whom the catalog is priced and presented. */
export interface Buyer {
  /** Whose stock is presented (spec §2.1). */
  environment: EnvironmentName;
  /** Partner ids from the root down to the buyer. */
  path: readonly string[];
  showsMarketing: boolean;
  displayCurrency: string | undefined;
}
