/** An eSIM plan of one geo scope; amounts are decimal strings in `currency`. */
export interface EsimProduct {
  readonly sku: string;
  readonly name: string;
  readonly geoScopeGlobalId: string;
  /** In GB, a decimal with three digits. */
  readonly dataAllowance: string;
  readonly validityDays: number;
  readonly amount: string;
  readonly currency: string;
  /** An inactive one cannot be ordered. */
  readonly isActive: boolean;
}
